/* SNAP edge lists.
 *
 *   # Directed graph: soc-Epinions1
 *   # FromNodeId  ToNodeId
 *   0   4
 *   0   5                      edge 0 -> 5; a third column is the edge's weight
 *
 * The same with commas, as programs for tables write it: the first line may name the columns. */
#include "data/edge_list.h"
#include "data/formats/token.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Takes up to four words, or fields where commas separate. */
static int cut_columns(token line, bool has_commas, token words[4]) {
  int count = 0;
  while (count < 4 &&
         (has_commas ? token_next_field(&line, ',', &words[count]) : token_next_word(&line, &words[count])))
    count++;
  return count;
}

/* Whether a line names the columns: no end of an edge is a number. */
static bool is_header(token line, bool has_commas) {
  token words[4];
  int64_t id;
  return cut_columns(line, has_commas, words) >= 2 && !token_parse_i64(words[0], &id) &&
         !token_parse_i64(words[1], &id);
}

/* Reads the words of one edge line; `columns` is what the first line had, 0 before it. */
static status read_edge(token line, bool has_commas, int64_t number, int *columns, edge_list *list) {
  token words[4];
  int count = cut_columns(line, has_commas, words);
  if (*columns == 0) *columns = count;
  if (count < 2 || count > 3 || count != *columns)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": %s%d columns, expected %s", number,
                        count > 3 ? "at least " : "", count,
                        *columns == 2   ? "2"
                        : *columns == 3 ? "3"
                                        : "source, target and maybe a weight");
  edge_record edge = {0};
  double weight = 0;
  for (int i = 0; i < 2; i++)
    if (!token_parse_i64(words[i], i ? &edge.dst : &edge.src))
      return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no node id (a whole number)", number,
                          token_shown_length(words[i]), words[i].begin);
  if (count == 3 && (!token_parse_f64(words[2], &weight) || isnan(weight)))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no weight", number,
                        token_shown_length(words[2]), words[2].begin);
  edge.weight = (float)weight;
  return edge_list_add(list, edge);
}

static status read_edges(const char *text, size_t size, edge_list *list) {
  token_reader r = token_reader_create(text, size);
  int columns = 0;
  bool has_commas = false, is_first = true;
  for (token line; token_next_line(&r, &line);) {
    token rest = line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '#' || *word.begin == '%') continue;
    if (is_first) has_commas = memchr(line.begin, ',', line.length);
    bool is_named = is_first && (has_commas || memchr(line.begin, '\t', line.length)) && is_header(line, has_commas);
    is_first = false;
    if (!is_named) RETURN_IF_ERROR(read_edge(line, has_commas, r.line, &columns, list));
  }
  list->has_weights = columns == 3;
  return STATUS_OK;
}

status import_snap(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out) {
  edge_list list = {0};
  tensor_set *set = tensor_set_create(name);
  int64_t num_nodes = 0;
  status s = read_edges(text, size, &list);
  if (!s) s = edge_list_number_nodes(&list, options->keeps_ids, &num_nodes);
  if (!s) s = edge_list_finish(&list, num_nodes, options, set);
  edge_list_free(&list);
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return status_context(s, "%s", name);
}
