/* Collects the outputs of a run, selects rows by node, and writes them. */
#include "tools/gnn-run/gnn_run.h"

#include "data/formats/safetensors.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

run_outputs run_outputs_of_session(arena *a, const gnnc_program *program, const gnnc_session *session) {
  const gnnc_model_info *info = gnnc_program_info(program);
  run_output *items = arena_alloc_array(a, (size_t)info->num_outputs + 1, sizeof *items);
  for (int32_t i = 0; i < info->num_outputs; i++) {
    const gnnc_tensor_info *t = &info->outputs[i];
    run_output *o = &items[i];
    *o = (run_output){.name = t->name,
                      .is_per_node = t->rows == GNNC_ROWS_NODE,
                      .is_per_graph = t->rows == GNNC_ROWS_GRAPH,
                      .has_rows = t->rows != GNNC_ROWS_ONE,
                      .elements = 1,
                      .rank = t->rank,
                      .dims = t->dims};
    for (int32_t d = 0; d < t->rank; d++) o->elements *= t->dims[d];
    o->data = gnnc_session_output(session, i, &o->rows);
  }
  return (run_outputs){info->name, items, info->num_outputs};
}

run_outputs run_outputs_of_image(arena *a, const program_binary *p, const tensor_set *set) {
  run_output *items = arena_alloc_array(a, (size_t)p->num_outputs + 1, sizeof *items);
  for (int32_t i = 0; i < p->num_outputs; i++) {
    const program_tensor *t = &p->outputs[i];
    const void *data = set ? tensor_set_find(set, t->name)->data : NULL;
    items[i] = (run_output){.name = t->name,
                            .is_per_node = !strcmp(t->domain, "node"),
                            .is_per_graph = !strcmp(t->domain, "graph"),
                            .has_rows = t->has_rows,
                            .rows = t->rows,
                            .elements = t->width,
                            .rank = t->rank,
                            .dims = t->dims,
                            .data = data};
  }
  return (run_outputs){p->model, items, p->num_outputs};
}

const run_output *run_outputs_find(const run_outputs *outputs, const char *name) {
  for (int32_t i = 0; i < outputs->count; i++)
    if (!strcmp(outputs->items[i].name, name)) return &outputs->items[i];
  return NULL;
}

static status add_output(tensor_set *set, const run_output *o, const int64_t *nodes, int64_t node_count) {
  int64_t dims[TENSOR_MAX_RANK];
  int32_t rank = 0;
  bool is_chosen = nodes && o->is_per_node;
  void *data = NULL;
  size_t row_bytes = (size_t)o->elements * sizeof(float);
  if (o->has_rows) dims[rank++] = is_chosen ? node_count : o->rows;
  for (int32_t i = 0; i < o->rank; i++) dims[rank++] = o->dims[i];
  RETURN_IF_ERROR(tensor_set_add(set, o->name, DTYPE_F32, rank, dims, &data));
  if (!is_chosen) {
    if (o->rows) memcpy(data, o->data, (size_t)o->rows * row_bytes);
    return STATUS_OK;
  }
  for (int64_t i = 0; i < node_count; i++)
    memcpy((float *)data + i * o->elements, o->data + nodes[i] * o->elements, row_bytes);
  return STATUS_OK;
}

status run_write(const run_outputs *outputs, const sim_origin *origin, const char *path, const int64_t *nodes,
                 int64_t node_count) {
  tensor_set *set = tensor_set_create(path);
  tensor_set_put_metadata(set, "model", outputs->model);
  tensor_set_put_metadata(set, "made_by", origin->made_by);
  if (*origin->program) tensor_set_put_metadata(set, "program", origin->program);
  status failed = STATUS_OK;
  for (int32_t i = 0; i < outputs->count && !failed; i++)
    failed = add_output(set, &outputs->items[i], nodes, node_count);
  if (!failed) failed = safetensors_write(path, set);
  tensor_set_destroy(set);
  return failed;
}

static bool is_separator(char c) {
  return c && strchr(" \t\r\n,", c);
}

/* Returns the length in bytes of a word, at most 40, for a message. */
static int word_length(const char *at, const char *stop) {
  enum { LONGEST_SHOWN = 40 };
  int length = 0;
  while (at + length < stop && length < LONGEST_SHOWN && !is_separator(at[length])) length++;
  return length;
}

status run_read_nodes(arena *a, const char *path, int64_t num_nodes, int64_t **nodes, int64_t *count) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(a, path, &data, &size));
  VEC(int64_t) made = {0};
  unsigned line = 1;
  for (char *at = data, *stop = data + size; at < stop;) {
    if (is_separator(*at)) {
      line += *at++ == '\n';
      continue;
    }
    char *end = NULL;
    long long n = strtoll(at, &end, 10);
    if (end == at || (end < stop && !is_separator(*end)) || n < 0)
      return status_error(STATUS_CODE_format, "%s:%u: not a node number: '%.*s'", path, line, word_length(at, stop),
                          at);
    if (n >= num_nodes)
      return status_error(STATUS_CODE_mismatch, "%s: node %lld was asked for, the graph has %lld nodes", path, n,
                          (long long)num_nodes);
    VEC_PUSH(a, &made, (int64_t)n);
    at = end;
  }
  *nodes = made.items ? made.items : arena_alloc(a, sizeof **nodes);
  *count = (int64_t)made.count;
  return STATUS_OK;
}
