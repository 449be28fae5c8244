/* Colours of messages on terminals. */
#ifndef GNNC_SUPPORT_TERMINAL_H
#define GNNC_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* The parts of a message that have a style. Severities have the order of diag_severity. */
typedef enum terminal_style {
  TERMINAL_error,
  TERMINAL_warning,
  TERMINAL_remark,
  TERMINAL_note,
  TERMINAL_place,
  TERMINAL_plain /* back to the default of the terminal */
} terminal_style;

/* Sets the colour mode of the whole process: "auto" (the default), "always" or "never". Returns
 * false and changes nothing for any other text. */
bool terminal_set_colour(const char *when);

/* Whether messages to `out` are in colour. In mode auto they are if `out` is a terminal, unless the
 * environment has a non-empty NO_COLOR or TERM=dumb. */
bool terminal_has_colour(FILE *out);

/* Returns the escape sequence that begins a style; "" without colour. */
const char *terminal_begin(bool has_colour, terminal_style style);

#endif
