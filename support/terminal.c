/* Escape sequences of ANSI terminals, and the decision whether to print them. */
#include "support/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum when { WHEN_auto, WHEN_always, WHEN_never, WHENS } when;

static const char *const when_names[WHENS] = {"auto", "always", "never"};
static when chosen = WHEN_auto;

bool terminal_set_colour(const char *name) {
  for (int i = 0; i < WHENS; i++)
    if (!strcmp(when_names[i], name)) return chosen = (when)i, true;
  return false;
}

bool terminal_has_colour(FILE *out) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  if (chosen != WHEN_auto) return chosen == WHEN_always;
  if ((no_color && *no_color) || (term && !strcmp(term, "dumb"))) return false;
  int fd = fileno(out);
  return fd >= 0 && isatty(fd);
}

const char *terminal_begin(bool has_colour, terminal_style style) {
  static const char *const sequences[] = {[TERMINAL_error] = "\033[1;31m",  [TERMINAL_warning] = "\033[1;35m",
                                          [TERMINAL_remark] = "\033[1;34m", [TERMINAL_note] = "\033[1;36m",
                                          [TERMINAL_place] = "\033[1m",     [TERMINAL_plain] = "\033[0m"};
  return has_colour ? sequences[style] : "";
}
