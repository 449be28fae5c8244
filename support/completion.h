/* Scripts that complete the options of a program in a shell, made from its table of options. */
#ifndef GNNC_SUPPORT_COMPLETION_H
#define GNNC_SUPPORT_COMPLETION_H

#include "support/arena.h"
#include "support/vec.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct completion_row {
  const char *command; /* the command that has the option; NULL: the program */
  const char *name;    /* "graph"; NULL: a command without options */
  int has_arg;         /* as in getopt's table */
  const char *values;  /* what may be given, separated by blanks; NULL: names of files, or anything */
} completion_row;

typedef VEC(completion_row) completion_rows;

/* The values of an option, for tables of getopt; a list ends with a row without name. */
typedef struct completion_values {
  const char *name, *values;
} completion_values;

/* Appends the options of a table of getopt; `values` may be NULL. */
void completion_add_table(arena *a, completion_rows *rows, const struct option *table, const completion_values *values);

/* Prints the script for --completion=SHELL to standard output; `words` (may be NULL) are further
 * words that begin with a dash, separated by blanks. Returns false after a message for a shell that
 * is not known. The options that all programs have (--color, --progress, --completion) need no
 * values. */
bool completion_print(const char *program, const char *shell, const completion_rows *rows, const char *words);

#endif
