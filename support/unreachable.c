/* Prints an internal error and aborts: see unreachable.h. */
#include "support/unreachable.h"

#include <stdio.h>
#include <stdlib.h>

void unreachable_at(const char *file, int line, const char *what) {
  fprintf(stderr, "internal error: %s (%s:%d); please report it\n", what, file, line);
  abort();
}
