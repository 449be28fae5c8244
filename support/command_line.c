/* Messages about wrong options, the same in all programs that use getopt_long. */
#include "support/command_line.h"

#include "support/arena.h"
#include "support/diag.h"
#include "support/program.h"
#include "support/vec.h"

#include <string.h>

static void explain_unknown(const char *command, const char *given, const struct option *options) {
  arena *a = arena_create();
  VEC(const char *) names = {0};
  const char *name = given + strspn(given, "-");
  const char *bare = arena_strndup(a, name, strcspn(name, "="));
  bool takes_no_value = false;
  for (const struct option *o = options; o->name; o++) {
    VEC_PUSH(a, &names, o->name);
    takes_no_value |= !strcmp(o->name, bare);
  }
  const char *nearest = diag_nearest(bare, names.items, names.count);
  if (takes_no_value)
    program_usage(command, "--%s takes no value", bare);
  else if (nearest)
    program_usage(command, "unknown option --%s; did you mean --%s", bare, nearest);
  else
    program_usage(command, "unknown option --%s", bare);
  arena_destroy(a);
}

void command_line_explain(const char *command, char **argv, const struct option *options, int found) {
  const char *given = argv[optind - 1]; /* getopt gives the letter of a short option, but not the name of a long one */
  bool is_long = !strncmp(given, "--", 2);
  const char letter[] = {'-', (char)optopt, '\0'};
  if (found == ':')
    program_usage(command, "%s wants a value", is_long ? given : letter);
  else if (is_long)
    explain_unknown(command, given, options);
  else
    program_usage(command, "unknown option %s", letter);
}

bool command_line_set_colour(const char *command, const char *when) {
  if (terminal_set_colour(when)) return true;
  program_usage(command, "--color=%s: expected auto, always or never", when);
  return false;
}
