/* Classifies names of columns. 'source_id' and 'Source Node' count as 'source'. Words that may also
 * be data ('type', 'r') count only beside names of both ends: 'alice,type,person' is a triple,
 * 'head,type,tail' is a header. */
#include "data/import/header.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const sources[] = {"s", "subject", "subj", "h", "head", "src", "source", "from", "start", NULL};
static const char *const targets[] = {"o",    "object",      "obj",    "t",  "tail", "dst",
                                      "dest", "destination", "target", "to", "end",  NULL};
static const char *const things[] = {"entity", "node", "user", "item", "vertex", "u", "v", NULL};
static const char *const weights[] = {"w", "weight", "weights", "value", "edge_weight", NULL};
static const char *const relations[] = {"rel",       "relation",      "relationship", "pred", "predicate",
                                        "edge_type", "relation_type", "rel_type",     NULL};
static const char *const maybe_relations[] = {"r", "p", "type", "label", "edge", "link", NULL};

static bool is_any(token t, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == t.length && !strncasecmp(t.begin, *words, t.length)) return true;
  return false;
}

static void drop_separators(token *t) {
  while (t->length > 1 && strchr("_ -.", t->begin[t->length - 1])) t->length--;
}

/* Returns the stem of a name: "source" of "source_node_id". */
static token stem(token t) {
  static const char *const endings[] = {"id", "node", "entity"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t length = strlen(endings[i]);
    if (t.length > length && !strncasecmp(t.begin + t.length - length, endings[i], length)) t.length -= length;
    drop_separators(&t);
  }
  return t;
}

static bool is_source(token t) {
  return is_any(stem(t), sources);
}

static bool is_target(token t) {
  return is_any(stem(t), targets);
}

static bool is_relation(token t) {
  return is_any(t, relations) || is_any(stem(t), relations);
}

static bool is_maybe_relation(token t) {
  return is_relation(t) || is_any(stem(t), maybe_relations);
}

/* Whether a name is that of a column of nodes: 'entity1'. */
static bool is_thing(token t) {
  if (is_source(t) || is_target(t)) return true;
  while (t.length > 1 && isdigit((unsigned char)t.begin[t.length - 1])) t.length--;
  drop_separators(&t);
  return is_any(t, things) || is_any(stem(t), things);
}

bool header_has_names_only(int count, const token *fields) {
  double number;
  for (int i = 0; i < count; i++)
    if (!fields[i].length || token_parse_f64(fields[i], &number)) return false;
  return true;
}

bool header_is_relation(token name) {
  return is_maybe_relation(name);
}

/* Returns the first column for which `is` holds, or `count` if there is none. */
static int find(int count, const token *fields, bool (*is)(token)) {
  int at = 0;
  while (at < count && !is(fields[at])) at++;
  return at;
}

static header read_three(int count, const token *fields) {
  int source = find(count, fields, is_source), target = find(count, fields, is_target);
  bool has_ends = source < count && target < count;
  bool is_pair = source == 0 && target == 1, is_around = source == 0 && target == 2;
  if (has_ends && !is_pair && !is_around) return HEADER_disordered;
  if (is_around && is_any(fields[1], weights)) return HEADER_disordered;
  if (is_around && is_maybe_relation(fields[1])) return HEADER_triples;
  if (is_pair && is_maybe_relation(fields[2])) return HEADER_labelled;
  if (is_relation(fields[1])) return HEADER_triples;
  if (is_any(fields[2], weights)) return HEADER_edges;
  bool is_maybe_triple = is_thing(fields[0]) && is_maybe_relation(fields[1]) && is_thing(fields[2]);
  bool is_maybe_labelled = is_thing(fields[0]) && is_thing(fields[1]) && is_maybe_relation(fields[2]);
  return has_ends || is_relation(fields[2]) || is_maybe_triple || is_maybe_labelled ? HEADER_doubtful : HEADER_none;
}

header header_read(int count, const token *fields) {
  if (count < 2 || !header_has_names_only(count, fields)) return HEADER_none;
  if (count > 2) return read_three(count, fields);
  return is_target(fields[0]) && is_source(fields[1]) ? HEADER_disordered : HEADER_edges;
}
