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

/* Reads the number behind "relation"; there are at most nine digits and no leading zeros, so that each type has one
 * name. */
static bool read_type(const char *digits, size_t length, int64_t *type) {
  if (!length || length > 9 || strspn(digits, "0123456789") < length || (digits[0] == '0' && length > 1)) return false;
  *type = strtoll(digits, NULL, 10);
  return true;
}

edge_mode edge_mode_read(const char *name) {
  static const char relation[] = "relation";
  size_t length = strcspn(name, "."), prefix = sizeof relation - 1;
  edge_mode mode = {EDGE_MODE_none, -1};
  for (size_t i = 1; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], name, length)) mode.kind = (edge_mode_kind)i;
  bool is_relation = length > prefix && !strncmp(name, relation, prefix);
  if (is_relation && read_type(name + prefix, length - prefix, &mode.type)) mode.kind = EDGE_MODE_relation;
  return mode;
}

bool edge_mode_has_loops(edge_mode mode) {
  return mode.kind == EDGE_MODE_add_remaining || mode.kind == EDGE_MODE_keep_one || mode.kind == EDGE_MODE_replace;
}

int edge_mode_kept_loops(edge_mode mode) {
  if (mode.kind == EDGE_MODE_add_remaining || mode.kind == EDGE_MODE_relation) return -1;
  return mode.kind == EDGE_MODE_keep_one ? 1 : 0;
}
