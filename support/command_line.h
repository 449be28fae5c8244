/* Messages and options that the command lines of all programs share. */
#ifndef GNNC_SUPPORT_COMMAND_LINE_H
#define GNNC_SUPPORT_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>

/* Prints an error about the option for which getopt_long returned `found`, '?' or ':', and suggests
 * the nearest option. The caller has set opterr to 0 and put ':' in front of the letters. `command`
 * is the command of the program, or NULL. */
void command_line_explain(const char *command, char **argv, const struct option *options, int found);

/* Sets the colour of messages from the argument of --color=WHEN. Returns false after an error
 * message when the argument is not auto, always or never. */
bool command_line_set_colour(const char *command, const char *when);

#endif
