/* Reads the names of modes: see edge_mode.h. */
#include "support/edge_mode.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [EDGE_MODE_add_remaining] = "add_remaining",
    [EDGE_MODE_keep_one] = "keep_one",
    [EDGE_MODE_replace] = "replace",
    [EDGE_MODE_remove] = "remove",
};

/* Reads a word and the number behind it; there are at most nine digits and no leading zeros, so that each number has
 * one name. */
static bool read_numbered(const char *name, size_t length, const char *word, int64_t *number) {
  size_t prefix = strlen(word), digits = length - prefix;
  if (length <= prefix || strncmp(name, word, prefix) != 0 || digits > 9) return false;
  if (strspn(name + prefix, "0123456789") < digits || (name[prefix] == '0' && digits > 1)) return false;
  *number = strtoll(name + prefix, NULL, 10);
  return true;
}

edge_mode edge_mode_read(const char *name) {
  size_t length = strcspn(name, ".");
  edge_mode mode = {EDGE_MODE_none, -1};
  for (size_t i = 1; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], name, length)) mode.kind = (edge_mode_kind)i;
  if (read_numbered(name, length, "relation", &mode.number)) mode.kind = EDGE_MODE_relation;
  if (read_numbered(name, length, "power", &mode.number) && mode.number > 0) mode.kind = EDGE_MODE_power;
  return mode;
}

bool edge_mode_has_loops(edge_mode mode) {
  return mode.kind == EDGE_MODE_add_remaining || mode.kind == EDGE_MODE_keep_one || mode.kind == EDGE_MODE_replace;
}

int edge_mode_kept_loops(edge_mode mode) {
  if (mode.kind == EDGE_MODE_add_remaining || mode.kind == EDGE_MODE_relation) return -1;
  return mode.kind == EDGE_MODE_keep_one ? 1 : 0;
}
