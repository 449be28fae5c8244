/* The options of gnnc that take one word of a short list. */
#ifndef GNNC_TOOLS_GNNC_GNNC_CHOICES_H
#define GNNC_TOOLS_GNNC_GNNC_CHOICES_H

#include "support/arena.h"

#include <stdbool.h>

/* Returns the words of an option, "emit", up to NULL; NULL for an option that takes anything else. */
const char *const *gnnc_choices_find(const char *option);

/* Prints the script of --completion=SHELL; false after a message. */
bool gnnc_print_completion(arena *a, const char *shell);

#endif
