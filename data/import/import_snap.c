/* Reads SNAP edge lists.
 *
 *   # Directed graph: soc-Epinions1
 *   # FromNodeId  ToNodeId
 *   0   4
 *   0   5                      edge 0 -> 5; a third column is the weight of the edge
 *
 * Lists with commas, as spreadsheet programs write them, are read too; their first line may name
 * the columns. */
#include "data/edge_list.h"
#include "data/import/field.h"
#include "data/import/header.h"
#include "data/import/table.h"

#include <inttypes.h>
#include <math.h>

typedef struct edge_reader {
  arena *memory;
  char separator; /* ',' or '\t' for tables; ' ' for words separated by spaces and tabs */
  int columns;    /* of the header or of the first edge; 0 until then */
  bool has_nan;   /* NaN may be a weight */
  import_header header;
  edge_list list;
} edge_reader;

static int cut_columns(const edge_reader *e, token line, token words[4]) {
  int count = 0;
  while (count < 4 && (e->separator == ' ' ? token_next_word(&line, &words[count])
                                           : field_next(e->memory, e->separator, &line, &words[count])))
    count++;
  return count;
}

static status read_edge(edge_reader *e, token line, int64_t number) {
  token words[4];
  int count = cut_columns(e, line, words);
  if (e->columns == 0) e->columns = count;
  if (count < 2 || count > 3 || count != e->columns)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": %s%d columns, expected %s", number,
                        count > 3 ? "at least " : "", count,
                        e->columns == 2   ? "2"
                        : e->columns == 3 ? "3"
                                          : "source, target and maybe a weight");
  edge_record edge = {0};
  double weight = 0;
  for (int i = 0; i < 2; i++)
    if (!token_parse_i64(words[i], i ? &edge.dst : &edge.src))
      return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no node id (a whole number)", number,
                          token_shown_length(words[i]), words[i].begin);
  if (count == 3 && (!token_parse_f64(words[2], &weight) || (isnan(weight) && !e->has_nan)))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no weight", number,
                        token_shown_length(words[2]), words[2].begin);
  edge.weight = (float)weight;
  return edge_list_add(&e->list, edge);
}

/* Derives the form of a file from its first line. A line with spaces is never a header, because the
 * words of a broken edge would look like one. */
static table_form find_form(const edge_reader *e, token line) {
  table_form form = {.separator = field_separator(line)};
  token words[4];
  edge_reader first = {.memory = e->memory, .separator = form.separator};
  int count = cut_columns(&first, line, words);
  form.has_header = form.separator != ' ' && count >= 2 && header_has_names_only(2, words);
  if (e->header != IMPORT_HEADER_auto) form.has_header = e->header == IMPORT_HEADER_yes;
  if (form.separator == '\t') form.separator = ' '; /* SNAP lists mix tabs and spaces */
  return form;
}

/* Sets the form from the first line; returns whether that line is a header. */
static bool read_first(edge_reader *e, token line, const table_form *given) {
  token words[4];
  table_form form = given ? *given : find_form(e, line);
  e->separator = form.separator;
  if (form.has_header && e->separator != ' ') e->columns = cut_columns(e, line, words);
  return form.has_header;
}

static status read_edges(edge_reader *e, const char *text, size_t size, const table_form *given) {
  token_reader r = token_reader_create(text, size);
  bool is_first = true;
  for (token line; token_next_line(&r, &line);) {
    token rest = line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '#') continue;
    if (*word.begin == '%' && !(given && is_first)) continue; /* a comment, but a header may begin with % */
    bool is_header = is_first && read_first(e, line, given);
    is_first = false;
    if (!is_header) RETURN_IF_ERROR(read_edge(e, line, r.line));
  }
  e->list.has_weights = e->columns == 3;
  return STATUS_OK;
}

status table_read_edges(const char *name, const char *text, size_t size, const table_form *form,
                        const import_options *options, tensor_set **out) {
  edge_reader e = {.memory = arena_create(), .has_nan = options->is_matrix, .header = options->header};
  tensor_set *set = tensor_set_create(name);
  int64_t num_nodes = 0;
  status s = read_edges(&e, text, size, form);
  if (!s) s = edge_list_number_nodes(&e.list, options->keeps_ids, &num_nodes);
  if (!s) s = edge_list_finish(&e.list, num_nodes, options, set);
  edge_list_free(&e.list);
  arena_destroy(e.memory);
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return status_context(s, "%s", name);
}

status import_snap(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out) {
  return table_read_edges(name, text, size, NULL, options, out);
}
