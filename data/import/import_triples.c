/* Reads triples: knowledge graphs as lines of text.
 *
 *   /m/027rn <tab> /location/country/form_of_government <tab> /m/06cx9
 *   alice,knows,"Bob, the builder"
 *   <http://a> <http://knows> <http://b> .
 *
 * The first line decides the separator: a tab, else a comma, else blanks. "subject,relation,object"
 * is a header and not a triple; so is "source,target,relation", which also gives the order. With
 * is_undirected every triple also gives the inverse edge, whose relation is r + R for R relations,
 * as in the data sets of DGL. Names are kept in the tensors node_name_bytes and node_name_ptr and
 * in metadata "relations". */
#include "data/edge_list.h"
#include "data/import/field.h"
#include "data/import/header.h"
#include "data/import/name_table.h"
#include "data/import/table.h"

#include <inttypes.h>
#include <string.h>

typedef struct triples {
  const import_options *options;
  arena *memory;
  table_form form;
  name_table nodes, relations;
  edge_list list;
} triples;

/* Sets *number to the number of a node or relation: the number of its name, or with keeps_ids the
 * number that the text is. */
static status number_name(triples *t, token name, int64_t line, bool is_relation, int64_t *number) {
  if (!t->options->keeps_ids)
    return name_table_number(is_relation ? &t->relations : &t->nodes, t->memory, name, number);
  if (token_parse_i64(name, number) && *number >= 0 && *number < INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no number that can be kept as an id", line,
                      token_shown_length(name), name.begin);
}

static bool next_field(triples *t, token *line, token *field) {
  return field_next(t->memory, t->form.separator, line, field);
}

static status read_triple(triples *t, token line, int64_t number) {
  token fields[3], more;
  int count = 0;
  while (count < 3 && next_field(t, &line, &fields[count]) && fields[count].length) count++;
  bool has_more = count == 3 && next_field(t, &line, &more) && more.length && !token_is(more, ".");
  if (count < 3 || has_more)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": %s, expected %s", number,
                        has_more ? "more than three fields" : "an empty, missing or unclosed field",
                        t->form.is_relation_last ? "source, target and relation" : "subject, relation and object");
  edge_record edge = {0};
  int64_t relation;
  int target = t->form.is_relation_last ? 1 : 2;
  RETURN_IF_ERROR(number_name(t, fields[0], number, false, &edge.src));
  RETURN_IF_ERROR(number_name(t, fields[target], number, false, &edge.dst));
  RETURN_IF_ERROR(number_name(t, fields[3 - target], number, true, &relation));
  edge.type = (int32_t)relation;
  if (relation >= t->list.num_types) t->list.num_types = relation + 1;
  return edge_list_add(&t->list, edge);
}

/* Derives the form of a file from its first line. */
static table_form find_form(triples *t, token line) {
  token fields[3];
  int count = 0;
  t->form.separator = field_separator(line);
  while (count < 3 && next_field(t, &line, &fields[count])) count++;
  const import_header given = t->options->header;
  header names = count == 3 && given != IMPORT_HEADER_no ? header_read(count, fields) : HEADER_none;
  return (table_form){.separator = t->form.separator,
                      .has_header = given == IMPORT_HEADER_yes || names == HEADER_triples || names == HEADER_labelled,
                      .is_relation_last = names == HEADER_labelled};
}

static status read_all(triples *t, const char *input, size_t size, const table_form *form) {
  token_reader r = token_reader_create(input, size);
  bool is_first = true;
  for (token line; token_next_line(&r, &line);) {
    token rest = line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '#') continue;
    if (is_first) t->form = form ? *form : find_form(t, line);
    if (*word.begin == '<') t->form.separator = ' '; /* N-Triples: its names may contain commas */
    if (!is_first || !t->form.has_header) RETURN_IF_ERROR(read_triple(t, line, r.line));
    is_first = false;
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

status table_read_triples(const char *name, const char *input, size_t size, const table_form *form,
                          const import_options *options, tensor_set **out) {
  tensor_set *set = tensor_set_create(name);
  triples t = {.options = options, .memory = arena_create()};
  status s = read_all(&t, input, size, form);
  if (!s) s = finish(&t, set);
  edge_list_free(&t.list);
  arena_destroy(t.memory);
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return status_context(s, "%s", name);
}

status import_triples(const char *name, const char *input, size_t size, const import_options *options,
                      tensor_set **out) {
  return table_read_triples(name, input, size, NULL, options, out);
}
