/* M.json: the facts of M.h for tools. */
#include "codegen/c/text_outputs.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *tensor_json(const c_model *m, const c_buffer *b) {
  static const char *const rows[] = {[C_ROWS_one] = "one",     [C_ROWS_node] = "node",   [C_ROWS_edge] = "edge",
                                     [C_ROWS_etype] = "etype", [C_ROWS_ntype] = "ntype", [C_ROWS_graph] = "graph",
                                     [C_ROWS_nonzero] = "node"};
  json_t *shape = json_array();
  for (unsigned d = 0; d < b->type.rank; d++) json_array_append_new(shape, json_integer(b->type.dims[d]));
  json_t *made = json_object();
  json_object_set_new(made, "name", json_string(b->name));
  json_object_set_new(made, "field", json_string(b->id));
  int64_t part = c_buffer_part(m, b);
  json_object_set_new(made, "rows", json_string(part < 0 ? rows[b->rows] : "part"));
  if (part >= 0) json_object_set_new(made, "type", json_integer(part));
  json_object_set_new(made, "shape", shape);
  json_object_set_new(made, "dtype", json_string("f32"));
  if (b->count) json_object_set_new(made, "count", json_integer(b->count));
  if (b->space == C_SPACE_output) return made;
  json_object_set_new(made, "from", json_string(b->from));
  json_object_set_new(made, "file", json_string(b->space == C_SPACE_weight || b->in_weights ? "weights" : "graph"));
  if (b->rows == C_ROWS_nonzero) json_object_set_new(made, "form", json_string("csr"));
  return made;
}

static json_t *tensors_json(const c_model *m, const c_buffer *items, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) json_array_append_new(list, tensor_json(m, &items[i]));
  return list;
}

static json_t *functions_json(const c_model *m) {
  static const char *const names[] = {"bound_bytes", "bind", "workspace_bytes", "run", "info"};
  json_t *made = json_object();
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    json_object_set_new(made, names[i], json_string(arena_printf(m->arena, "%s_%s", m->id, names[i])));
  return made;
}

void c_manifest_emit(const c_model *m, text *out) {
  json_t *root = json_object();
  json_object_set_new(root, "abi_version", json_integer(1));
  json_object_set_new(root, "model", json_string(m->name));
  json_object_set_new(root, "source", json_string(m->source));
  json_object_set_new(root, "target", json_string("c"));
  json_object_set_new(root, "arithmetic", json_string(m->options->is_f64 ? "f64" : "f32"));
  json_object_set_new(root, "functions", functions_json(m));
  json_object_set_new(root, "inputs", tensors_json(m, m->inputs.items, m->inputs.count));
  json_object_set_new(root, "weights", tensors_json(m, m->weights.items, m->weights.count));
  json_object_set_new(root, "outputs", tensors_json(m, m->outputs.items, m->outputs.count));
  char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS);
  text_append(out, dumped ? dumped : "{}");
  text_append(out, "\n");
  free(dumped);
  json_decref(root);
}
