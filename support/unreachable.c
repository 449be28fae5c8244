/* The end of a program that broke one of its own rules: see unreachable.h. */
#include "support/unreachable.h"

#include <stdio.h>
#include <stdlib.h>

void unreachable_at(const char *file, int line, const char *what) {
  fprintf(stderr, "internal error: %s (%s:%d); please report it\n", what, file, line);
  abort();
}
