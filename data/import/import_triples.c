/* Triples: knowledge graphs as lines of text.
 *
 *   /m/027rn <tab> /location/country/form_of_government <tab> /m/06cx9
 *   alice,knows,"Bob, the builder"
 *   <http://a> <http://knows> <http://b> .
 *
 * The first line decides what separates: a tab, else a comma, else blanks; "subject,relation,object" is a header and no triple. With is_undirected every
 * triple also gives the inverse edge, whose relation is r + R as in DGL's data sets. Names are kept
 * in the tensors node_name_bytes and node_name_ptr and in metadata relations. */
#include "data/edge_list.h"
#include "data/formats/token.h"
#include "data/import/name_table.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

typedef struct triples {
  const import_options *options;
  arena *memory;
  char separator; /* '\t', ',' or ' ' */
  name_table nodes, relations;
  edge_list list;
} triples;

static void drop_blanks(token *line) {
  while (line->length && (*line->begin == ' ' || *line->begin == '\t')) {
    line->begin++;
    line->length--;
  }
}

/* The text between quotes with doubled quotes made one. */
static token undouble(arena *a, token t) {
  char *copy = arena_alloc(a, t.length);
  size_t length = 0;
  for (size_t i = 0; i < t.length; i++) {
    copy[length++] = t.begin[i];
    if (t.begin[i] == '"') i++;
  }
  return (token){copy, length};
}

/* Takes a "quoted" field. A doubled quote, or one behind a backslash, does not end it; what follows
 * the quotes belongs to it ("text"@en), and then the quotes do too. False when they are not
 * closed. */
static bool next_quoted(triples *t, token *line, token *field) {
  bool has_doubled = false;
  size_t close = 1;
  for (; close < line->length; close++) {
    bool is_pair = close + 1 < line->length && line->begin[close] == '"' && line->begin[close + 1] == '"';
    has_doubled = has_doubled || is_pair;
    if (line->begin[close] == '\\' || is_pair)
      close++;
    else if (line->begin[close] == '"')
      break;
  }
  if (close >= line->length) return false;
  size_t end = close + 1;
  while (end < line->length && line->begin[end] != t->separator) end++;
  token suffix = {line->begin + close + 1, end - close - 1};
  drop_blanks(&suffix);
  token inside = {line->begin + 1, close - 1};
  *field = suffix.length ? (token){line->begin, end} : has_doubled ? undouble(t->memory, inside) : inside;
  bool is_last = end == line->length;
  *line = is_last ? (token){NULL, 0} : (token){line->begin + end + 1, line->length - end - 1};
  return true;
}

static bool next_field(triples *t, token *line, token *field) {
  if (!line->begin) return false;
  if (t->separator != '\t') drop_blanks(line);
  if (line->length && *line->begin == '"') return next_quoted(t, line, field);
  if (t->separator == ' ') return token_next_word(line, field);
  return token_next_field(line, t->separator, field);
}

/* The number of a node or relation: of its name, or the number that it is where ids are kept. */
static status number_name(triples *t, token name, int64_t line, bool is_relation, int64_t *number) {
  if (!t->options->keeps_ids)
    return name_table_number(is_relation ? &t->relations : &t->nodes, t->memory, name, number);
  if (token_parse_i64(name, number) && *number >= 0 && *number < INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no number that can be kept as an id", line,
                      token_shown_length(name), name.begin);
}

static bool is_any(token t, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == t.length && !strncasecmp(t.begin, *words, t.length)) return true;
  return false;
}

/* Whether the first line names the columns. */
static bool is_header(triples *t, token line) {
  static const char *const ends[] = {"s", "subject", "h", "head", "src", "source", "from", NULL};
  static const char *const relations[] = {"r", "p", "rel", "relation", "predicate", "type", "edge_type", NULL};
  static const char *const others[] = {"o", "object", "t", "tail", "dst", "target", "to", NULL};
  token fields[3];
  for (int i = 0; i < 3; i++)
    if (!next_field(t, &line, &fields[i])) return false;
  return is_any(fields[0], ends) && is_any(fields[1], relations) && is_any(fields[2], others);
}

static status read_triple(triples *t, token line, int64_t number) {
  token fields[3], more;
  int count = 0;
  while (count < 3 && next_field(t, &line, &fields[count]) && fields[count].length) count++;
  bool has_more = count == 3 && next_field(t, &line, &more) && more.length && !token_is(more, ".");
  if (count < 3 || has_more)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": %s, expected subject, relation and object", number,
                        has_more ? "more than three fields" : "an empty, missing or unclosed field");
  edge_record edge = {0};
  int64_t relation;
  RETURN_IF_ERROR(number_name(t, fields[0], number, false, &edge.src));
  RETURN_IF_ERROR(number_name(t, fields[2], number, false, &edge.dst));
  RETURN_IF_ERROR(number_name(t, fields[1], number, true, &relation));
  edge.type = (int32_t)relation;
  if (relation >= t->list.num_types) t->list.num_types = relation + 1;
  return edge_list_add(&t->list, edge);
}

static status read_all(triples *t, const char *input, size_t size) {
  token_reader r = token_reader_create(input, size);
  for (token line; token_next_line(&r, &line);) {
    token rest = line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '#') continue;
    bool is_first = !t->separator;
    if (is_first)
      t->separator = memchr(line.begin, '\t', line.length) ? '\t' : memchr(line.begin, ',', line.length) ? ',' : ' ';
    if (*word.begin == '<') t->separator = ' '; /* N-Triples: commas may stand in its names */
    if (is_first && is_header(t, line)) continue;
    RETURN_IF_ERROR(read_triple(t, line, r.line));
  }
  t->list.has_types = true;
  return STATUS_OK;
}

static status finish(triples *t, tensor_set *set) {
  int64_t num_nodes = (int64_t)t->nodes.count;
  if (t->options->keeps_ids) RETURN_IF_ERROR(edge_list_number_nodes(&t->list, true, &num_nodes));
  tensor_set_put_metadata_int(set, "num_triples", t->list.count);
  RETURN_IF_ERROR(edge_list_finish(&t->list, num_nodes, t->options, set));
  if (t->options->keeps_ids) return STATUS_OK;
  tensor_set_put_metadata(set, "relations", name_table_join(&t->relations, t->memory, " | "));
  return name_table_add_tensors(&t->nodes, "node_name", set);
}

status import_triples(const char *name, const char *input, size_t size, const import_options *options,
                      tensor_set **out) {
  tensor_set *set = tensor_set_create(name);
  triples t = {.options = options, .memory = arena_create()};
  status s = read_all(&t, input, size);
  if (!s) s = finish(&t, set);
  edge_list_free(&t.list);
  arena_destroy(t.memory);
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return status_context(s, "%s", name);
}
