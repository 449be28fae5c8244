/* Collects the outputs of a run, chooses rows of nodes, and writes them. */
#include "tools/gnn-run/gnn_run.h"

#include "data/formats/safetensors.h"
#include "runtime/inputs.h"

#include <string.h>

/* Lists the outputs without their numbers. */
static run_output *list_outputs(arena *a, const gnnc_model_info *info) {
  run_output *items = arena_alloc_array(a, (size_t)info->num_outputs + 1, sizeof *items);
  for (int32_t i = 0; i < info->num_outputs; i++) {
    const gnnc_tensor_info *t = &info->outputs[i];
    run_output *o = &items[i];
    *o = (run_output){.name = t->name,
                      .is_per_node = t->rows == GNNC_ROWS_NODE,
                      .is_per_edge = t->rows == GNNC_ROWS_EDGE,
                      .is_per_graph = t->rows == GNNC_ROWS_GRAPH,
                      .has_rows = t->rows != GNNC_ROWS_ONE,
                      .elements = 1,
                      .rank = t->rank,
                      .dims = t->dims};
    for (int32_t d = 0; d < t->rank; d++) o->elements *= t->dims[d];
  }
  return items;
}

run_outputs run_outputs_of_session(arena *a, const gnnc_program *program, const gnnc_session *session) {
  const gnnc_model_info *info = gnnc_program_info(program);
  run_output *items = list_outputs(a, info);
  for (int32_t i = 0; i < info->num_outputs; i++) items[i].data = gnnc_session_output(session, i, &items[i].rows);
  return (run_outputs){.model = info->name, .items = items, .count = info->num_outputs};
}

run_outputs run_outputs_of_ranks(arena *a, const gnnc_model_info *info, const graph *g, float *const *data) {
  run_output *items = list_outputs(a, info);
  for (int32_t i = 0; i < info->num_outputs; i++) {
    items[i].data = data[i];
    items[i].rows = inputs_rows(&info->outputs[i], g);
  }
  return (run_outputs){.model = info->name, .items = items, .count = info->num_outputs};
}

run_outputs run_outputs_of_image(arena *a, const program_binary *p, const tensor_set *set) {
  run_output *items = arena_alloc_array(a, (size_t)p->num_outputs + 1, sizeof *items);
  for (int32_t i = 0; i < p->num_outputs; i++) {
    const program_tensor *t = &p->outputs[i];
    const void *data = set ? tensor_set_find(set, t->name)->data : NULL;
    items[i] = (run_output){.name = t->name,
                            .is_per_node = !strcmp(t->domain, "node"),
                            .is_per_edge = !strcmp(t->domain, "edge"),
                            .is_per_graph = !strcmp(t->domain, "graph"),
                            .has_rows = t->has_rows,
                            .rows = t->rows,
                            .elements = t->width,
                            .rank = t->rank,
                            .dims = t->dims,
                            .data = data};
  }
  return (run_outputs){.model = p->model, .items = items, .count = p->num_outputs};
}

const run_output *run_outputs_find(const run_outputs *outputs, const char *name) {
  for (int32_t i = 0; i < outputs->count; i++)
    if (!strcmp(outputs->items[i].name, name)) return &outputs->items[i];
  return NULL;
}

/* Returns the row of a node in the outputs of a part of the graph. */
static int64_t row_in_part(const receptive_field *field, int64_t node) {
  int64_t low = 0, high = field->part.num_nodes;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    *(field->nodes[middle] <= node ? &low : &high) = middle;
  }
  return low;
}

void run_outputs_choose(arena *a, const run_nodes *nodes, const receptive_field *field, run_outputs *outputs) {
  run_output *items = arena_alloc_array(a, (size_t)outputs->count + 1, sizeof *items);
  for (int32_t i = 0; i < outputs->count; i++) {
    run_output *o = &items[i];
    *o = outputs->items[i];
    if (!o->is_per_node) continue;
    float *data = arena_alloc_array(a, (size_t)(nodes->count * o->elements) + 1, sizeof *data);
    for (int64_t n = 0; n < nodes->count; n++) {
      int64_t row = field ? row_in_part(field, nodes->items[n]) : nodes->items[n];
      memcpy(data + n * o->elements, o->data + row * o->elements, (size_t)o->elements * sizeof *data);
    }
    o->rows = nodes->count;
    o->data = data;
  }
  outputs->items = items;
  outputs->nodes = nodes->items;
  outputs->num_nodes = nodes->count;
}

static status add_output(tensor_set *set, const run_output *o) {
  int64_t dims[TENSOR_MAX_RANK];
  int32_t rank = 0;
  void *data = NULL;
  if (o->has_rows) dims[rank++] = o->rows;
  for (int32_t i = 0; i < o->rank; i++) dims[rank++] = o->dims[i];
  RETURN_IF_ERROR(tensor_set_add(set, o->name, DTYPE_F32, rank, dims, &data));
  if (o->rows) memcpy(data, o->data, (size_t)(o->rows * o->elements) * sizeof(float));
  return STATUS_OK;
}

status run_write(const run_outputs *outputs, const sim_origin *origin, const char *path) {
  tensor_set *set = tensor_set_create(path);
  tensor_set_put_metadata(set, "model", outputs->model);
  tensor_set_put_metadata(set, "made_by", origin->made_by);
  if (*origin->program) tensor_set_put_metadata(set, "program", origin->program);
  status failed = STATUS_OK;
  for (int32_t i = 0; i < outputs->count && !failed; i++) failed = add_output(set, &outputs->items[i]);
  if (!failed) failed = safetensors_write(path, set);
  tensor_set_destroy(set);
  return failed;
}
