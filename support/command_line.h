/* What the command lines of the programs have in common. */
#ifndef GNNC_SUPPORT_COMMAND_LINE_H
#define GNNC_SUPPORT_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>

/* Explains what getopt_long (with opterr 0 and ':' in front of the letters) returned '?' or ':' for,
 * with the option that was meant perhaps. `command` of the program, or NULL. */
void command_line_explain(const char *command, char **argv, const struct option *options, int found);

/* --color=WHEN; false after saying what was expected. */
bool command_line_set_colour(const char *command, const char *when);

#endif
