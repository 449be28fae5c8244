/* Colour of messages on terminals. */
#ifndef GNNC_SUPPORT_TERMINAL_H
#define GNNC_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* What a piece of a message is. Severities have the order of diag_severity. */
typedef enum terminal_style {
  TERMINAL_error,
  TERMINAL_warning,
  TERMINAL_remark,
  TERMINAL_note,
  TERMINAL_place,
  TERMINAL_plain /* back to what the terminal has */
} terminal_style;

/* Takes the value of --color for the whole process: "auto" (the default), "always" or "never";
 * false, and nothing changes, for anything else. */
bool terminal_set_colour(const char *when);

/* Whether messages that go to `out` are in colour. With auto they are when it is a terminal, unless
 * the environment has NO_COLOR (not empty) or TERM=dumb. */
bool terminal_has_colour(FILE *out);

/* What is printed before the piece; "" where there is no colour. */
const char *terminal_begin(bool has_colour, terminal_style style);

#endif
