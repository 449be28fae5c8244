/* M.json: the content of M.h for tools. */
#include "codegen/c/interface/manifest.h"

#include "codegen/c/interface/phases.h"
#include "codegen/c/model/source_line.h"
#include "codegen/c/model/trained.h"
#include "runtime/gnnc/abi.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* [[0, 118], [0, 4]]: the smallest and the largest value of each element of a row. */
static json_t *ranges_json(const c_buffer *b) {
  json_t *made = json_array();
  for (intptr_t i = 0; i < 2 * b->elements; i += 2)
    json_array_append_new(made, json_pack("[I,I]", (json_int_t)mlirDenseI64ArrayGetElement(b->range, i),
                                          (json_int_t)mlirDenseI64ArrayGetElement(b->range, i + 1)));
  return made;
}

/* Adds what a program of training does with a weight. */
static void add_training(const c_model *m, const c_buffer *b, json_t *to) {
  const c_buffer *result = c_trained_gradient(m, b);
  json_object_set_new(to, "trained", json_boolean(result && result->role == C_ROLE_gradient));
  json_object_set_new(to, "updated", json_boolean(result && result->role == C_ROLE_update));
  json_object_set_new(to, "init", json_string(c_trained_init(b)));
}

static json_t *tensor_json(const c_model *m, const c_buffer *b) {
  json_t *shape = json_array();
  for (unsigned d = 0; d < b->type.rank; d++) json_array_append_new(shape, json_integer(b->type.dims[d]));
  json_t *made = json_object();
  json_object_set_new(made, "name", json_string(b->name));
  json_object_set_new(made, "field", json_string(b->id));
  int64_t part = c_model_part(m, b);
  json_object_set_new(made, "rows", json_string(part < 0 ? c_rows_describe(b->rows)->caller : "part"));
  if (part >= 0) json_object_set_new(made, "type", json_integer(part));
  json_object_set_new(made, "shape", shape);
  json_object_set_new(made, "dtype", json_string(b->type.is_integer ? "i32" : "f32"));
  if (!mlirAttributeIsNull(b->range)) json_object_set_new(made, "ranges", ranges_json(b));
  if (b->count) json_object_set_new(made, "count", json_integer(b->count));
  if (b->role == C_ROLE_loss) json_object_set_new(made, "loss", json_true());
  if (b->space == C_SPACE_output) return made;
  if (b->space == C_SPACE_weight && m->is_training) add_training(m, b, made);
  if (b->space == C_SPACE_input && m->is_backward)
    json_object_set_new(made, "gradient", json_boolean(c_trained_input_gradient(m, b) != NULL));
  json_object_set_new(made, "from", json_string(b->from));
  json_object_set_new(made, "file", json_string(b->space == C_SPACE_weight || b->in_weights ? "weights" : "graph"));
  if (b->rows == C_ROWS_nonzero) json_object_set_new(made, "form", json_string("csr"));
  return made;
}

static json_t *tensors_json(const c_model *m, const c_buffers *fields) {
  json_t *list = json_array();
  for (size_t i = 0; i < fields->count; i++) json_array_append_new(list, tensor_json(m, &fields->items[i]));
  return list;
}

static void add_function(const c_model *m, json_t *functions, const char *name) {
  json_object_set_new(functions, name, json_string(arena_printf(m->arena, "%s_%s", m->id, name)));
}

static json_t *functions_json(const c_model *m) {
  json_t *made = json_object();
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase_row *row = m->phases.items[p].row;
    if (row->bytes.name) add_function(m, made, row->bytes.name);
    add_function(m, made, row->call.name);
  }
  for (const c_phase_function *f = c_phases_functions(m); f->name; f++) add_function(m, made, f->name);
  add_function(m, made, "info");
  return made;
}

/* ---- the model ---- */

static json_t *reach_json(const graph_reach *r) {
  static const char *const extents[] = {[REACH_hops] = "hops", [REACH_graphs] = "graphs", [REACH_all] = "all"};
  json_t *made = json_object();
  json_object_set_new(made, "extent", json_string(extents[r->extent]));
  json_object_set_new(made, "hops", json_integer(r->hops));
  json_object_set_new(made, "follows_in", json_boolean(r->follows_in));
  json_object_set_new(made, "follows_out", json_boolean(r->follows_out));
  json_object_set_new(made, "has_edge_rows", json_boolean(r->has_edge_rows));
  return made;
}

/* Adds the sources, the sizes that were given, how far the outputs reach, and the fingerprint. */
static void add_model(const model_source *from, json_t *root) {
  json_t *texts = json_array(), *dims = json_object();
  for (size_t i = 0; i < from->num_texts; i++) json_array_append_new(texts, json_string(from->texts[i]));
  for (size_t i = 0; i < from->num_dims; i++)
    json_object_set_new(dims, from->dims[i].name, json_integer(from->dims[i].value));
  json_object_set_new(root, "sources", texts);
  json_object_set_new(root, "dims", dims);
  json_object_set_new(root, "reach", reach_json(&from->reach));
  char fingerprint[20];
  snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, from->fingerprint);
  json_object_set_new(root, "fingerprint", json_string(fingerprint));
}

/* ---- calls that can be timed ---- */

static json_t *terms_json(const model_term *terms, size_t count) {
  json_t *made = json_object();
  for (size_t i = 0; i < count; i++) json_object_set_new(made, terms[i].rows, json_integer(terms[i].factor));
  return made;
}

static void add_place(const c_model *m, const c_timed *t, json_t *to) {
  const char *file = NULL;
  unsigned line = 0, column = 0;
  int length = 0;
  if (mlirOperationIsNull(t->op) || !ir_location_position(mlirOperationGetLocation(t->op), &file, &line, &column) ||
      !file || !line)
    return;
  const char *quoted = c_source_line_find(m, file, line, &length);
  json_object_set_new(to, "file", json_string(ir_location_shown_file(file)));
  json_object_set_new(to, "line", json_integer(line));
  if (quoted) json_object_set_new(to, "text", json_stringn(quoted, (size_t)length));
}

static json_t *timed_json(const c_model *m, const c_timed *t) {
  const model_source *from = m->options->model;
  json_t *made = json_object();
  json_object_set_new(made, "phase", json_string(t->phase));
  json_object_set_new(made, "function", json_string(t->function));
  if (t->value) json_object_set_new(made, "value", json_string(t->value));
  add_place(m, t, made);
  if (!from || t->cost < 0 || (size_t)t->cost >= from->num_costs) return made;
  const model_cost *cost = &from->costs[t->cost];
  json_object_set_new(made, "flops", terms_json(cost->flops, cost->num_flops));
  json_object_set_new(made, "bytes", terms_json(cost->bytes, cost->num_bytes));
  return made;
}

static json_t *all_timed_json(const c_model *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->timed.count; i++) json_array_append_new(list, timed_json(m, &m->timed.items[i]));
  return list;
}

/* How far results may be from those in double precision, as a part of the largest: rows of bf16 are rounded by 2^-8 of
 * each number. The largest difference of the trained models of test/e2e/narrow_rows.py is a third of it. */
static const double bf16_tolerance = 1e-2;

static bool has_bf16(const c_model *m) {
  for (size_t p = 0; p < m->phases.count; p++)
    for (size_t i = 0; i < m->phases.items[p].buffers.count; i++)
      if (m->phases.items[p].buffers.items[i].is_bf16) return true;
  return false;
}

void c_manifest_emit(const c_model *m, text *out) {
  json_t *root = json_object();
  json_object_set_new(root, "abi_version", json_integer(GNNC_ABI_VERSION));
  if (m->options->compiler) json_object_set_new(root, "compiler", json_string(m->options->compiler));
  if (m->options->options) json_object_set_new(root, "options", json_string(m->options->options));
  json_object_set_new(root, "model", json_string(m->name));
  json_object_set_new(root, "source", json_string(m->source));
  json_object_set_new(root, "target", json_string("c"));
  json_object_set_new(root, "arithmetic", json_string(m->options->is_f64 ? "f64" : "f32"));
  if (has_bf16(m)) json_object_set_new(root, "tolerance", json_real(bf16_tolerance));
  json_object_set_new(root, "functions", functions_json(m));
  json_object_set_new(root, "timed", all_timed_json(m));
  if (m->options->model) add_model(m->options->model, root);
  if (m->is_training) json_object_set_new(root, "training", json_true());
  for (int i = 0; i < C_SPACE_TABLES; i++)
    json_object_set_new(root, c_space_struct((c_space)i), tensors_json(m, &m->fields[i]));
  char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS);
  text_append(out, dumped ? dumped : "{}");
  text_append(out, "\n");
  free(dumped);
  json_decref(root);
}
