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

/* One item of a union: "_all" or "_2", with an `r` behind it for the reverse. */
typedef struct edge_term {
  int64_t type; /* -1: all */
  unsigned way;
} edge_term;

/* Reads the item at *at and moves behind it; false where none stands there. */
static bool read_term(const char **at, const char *end, edge_term *term) {
  const char *word = *at + 1;
  if (*at >= end || **at != '_') return false;
  bool is_all = end - word >= 3 && !strncmp(word, "all", 3);
  size_t length = is_all ? 3 : strspn(word, "0123456789");
  *term = (edge_term){-1, EDGE_WAY_forward};
  if (!is_all && !read_numbered(word, length, "", &term->type)) return false;
  if (word[length] == 'r') term->way = EDGE_WAY_back;
  *at = word + length + (term->way == EDGE_WAY_back);
  return true;
}

/* Whether the items of a union stand in rising order. */
static bool is_union(const char *name, size_t length) {
  static const size_t word = 5;
  if (length <= word || strncmp(name, "union", word) != 0) return false;
  const char *at = name + word, *end = name + length;
  edge_term term, last = {-2, 0};
  while (read_term(&at, end, &term)) {
    if (term.type < last.type || (term.type == last.type && term.way <= last.way)) return false;
    last = term;
  }
  return at == end;
}

edge_mode edge_mode_read(const char *name) {
  size_t length = strcspn(name, ".");
  edge_mode mode = {EDGE_MODE_none, -1};
  for (size_t i = 1; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], name, length)) mode.kind = (edge_mode_kind)i;
  if (read_numbered(name, length, "relation", &mode.number)) mode.kind = EDGE_MODE_relation;
  if (is_union(name, length)) mode.kind = EDGE_MODE_union;
  if (read_numbered(name, length, "power", &mode.number) && mode.number > 0) mode.kind = EDGE_MODE_power;
  return mode;
}

bool edge_mode_has_loops(edge_mode mode) {
  return mode.kind == EDGE_MODE_add_remaining || mode.kind == EDGE_MODE_keep_one || mode.kind == EDGE_MODE_replace;
}

bool edge_mode_is_chosen(edge_mode mode) {
  return mode.kind == EDGE_MODE_relation || mode.kind == EDGE_MODE_union;
}

int edge_mode_kept_loops(edge_mode mode) {
  if (mode.kind == EDGE_MODE_add_remaining || edge_mode_is_chosen(mode)) return -1;
  return mode.kind == EDGE_MODE_keep_one ? 1 : 0;
}

unsigned edge_mode_ways(const char *name, int64_t type) {
  edge_mode mode = edge_mode_read(name);
  if (mode.kind == EDGE_MODE_relation) return mode.number == type ? EDGE_WAY_forward : 0;
  if (mode.kind != EDGE_MODE_union) return 0;
  const char *at = strchr(name, '_'), *end = name + strcspn(name, ".");
  unsigned ways = 0;
  for (edge_term term; read_term(&at, end, &term);)
    if (term.type < 0 || term.type == type) ways |= term.way;
  return ways;
}

void edge_mode_list_ways(const char *name, int64_t count, unsigned char *ways) {
  edge_mode mode = edge_mode_read(name);
  for (int64_t type = 0; type < count; type++) ways[type] = mode.kind == EDGE_MODE_relation && mode.number == type;
  if (mode.kind != EDGE_MODE_union) return;
  const char *at = strchr(name, '_'), *end = name + strcspn(name, ".");
  for (edge_term term; read_term(&at, end, &term);)
    for (int64_t type = term.type < 0 ? 0 : term.type; type < (term.type < 0 ? count : term.type + 1); type++)
      if (type < count) ways[type] |= (unsigned char)term.way;
}

int64_t edge_mode_types(const char *name) {
  edge_mode mode = edge_mode_read(name);
  if (mode.kind != EDGE_MODE_union) return mode.kind == EDGE_MODE_relation ? mode.number + 1 : 0;
  const char *at = strchr(name, '_'), *end = name + strcspn(name, ".");
  edge_term last = {-1, 0};
  while (read_term(&at, end, &last)) continue;
  return last.type + 1;
}

/* Whether some item of a union has, with those for all types, these ways. */
static bool has_ways(const char *name, unsigned ways) {
  if (edge_mode_read(name).kind != EDGE_MODE_union) return false;
  const char *at = strchr(name, '_'), *end = name + strcspn(name, ".");
  bool found = false;
  for (edge_term term; read_term(&at, end, &term);) found |= (edge_mode_ways(name, term.type) & ways) == ways;
  return found;
}

bool edge_mode_reverses(const char *name) {
  return has_ways(name, EDGE_WAY_back);
}

bool edge_mode_doubles(const char *name) {
  return has_ways(name, EDGE_WAY_both);
}
