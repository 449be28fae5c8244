/* The manifest of an image: where inputs and outputs lie, in which order of rows; tensors, layers and partitions for people and statistics. */
#include "codegen/graphagile/compile_parts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  plan *plan;
  VEC(int32_t *) permutations; /* one after the other in .gnnc.rows */
  VEC(int64_t) counts;
  map orders; /* set -> 1 + byte offset */
  int64_t bytes;
} writer;

static int64_t add_permutation(writer *w, int32_t *order, int64_t count) {
  int64_t at = w->bytes;
  VEC_PUSH(w->plan->arena, &w->permutations, order);
  VEC_PUSH(w->plan->arena, &w->counts, count);
  w->bytes += count * (int64_t)sizeof *order;
  return at;
}

/* The byte offset of the order of a set's rows, null where they are in the user's. */
static json_t *order_json(writer *w, const plan_tensor *t) {
  plan *p = w->plan;
  const int32_t *order = NULL;
  int64_t known = map_get(&w->orders, t->set, 0);
  if (known) return json_integer(known - 1);
  if (!plan_check(p, overlay_host_set_order(p->host, t->set, &order)) || !order) return json_null();
  int32_t *copy = arena_alloc_array(p->arena, (size_t)t->rows, sizeof *copy);
  memcpy(copy, order, (size_t)t->rows * sizeof *copy);
  known = add_permutation(w, copy, t->rows);
  map_set(&w->orders, t->set, known + 1);
  return json_integer(known);
}

/* The user's edge of each record. */
static json_t *edge_order_json(writer *w, const plan_tensor *t) {
  plan *p = w->plan;
  const overlay_relation *list = t->edges->list;
  const int32_t *position = t->edges->partition.position;
  if (!position) return json_null();
  int32_t *order = arena_alloc_array(p->arena, (size_t)list->edges, sizeof *order);
  for (int64_t i = 0; i < list->edges; i++) order[position[i]] = list->edge ? list->edge[i] : (int32_t)i;
  return json_integer(add_permutation(w, order, list->edges));
}

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new_nocheck(object, key, value);
}

static json_t *shape_json(ir_type type) {
  json_t *shape = json_array();
  for (unsigned d = 0; d < type.rank; d++) json_array_append_new(shape, json_integer(type.dims[d]));
  return shape;
}

static void set_rows(writer *w, json_t *made, const plan_tensor *t) {
  set(made, "set", json_string(t->set ? t->set : ""));
  set(made, "rows", json_integer(t->rows));
  set(made, "width", json_integer(t->width));
  set(made, "address", json_integer((json_int_t)t->address));
  set(made, "stride", json_integer(t->stride));
  set(made, "order", order_json(w, t));
}

static json_t *input_json(writer *w, const plan_tensor *t) {
  plan *p = w->plan;
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(t->value);
  MlirAttribute from = ir_func_arg_attr(p->function, index, "gnn.from");
  json_t *made = json_object();
  set(made, "name", json_string(t->name));
  if (mlirAttributeIsNull(from)) {
    set(made, "from", json_string(t->name));
  } else {
    MlirStringRef s = mlirStringAttrGetValue(from);
    set(made, "from", json_stringn(s.data, s.length));
  }
  set(made, "space", json_string(t->place == PLAN_INPUT ? "graph" : "weights"));
  set(made, "shape", shape_json(ir_type_payload(ir_type_of(t->value))));
  set_rows(w, made, t);
  return made;
}

static json_t *inputs_json(writer *w) {
  json_t *list = json_array();
  for (size_t i = 0; i < w->plan->tensors.count; i++) {
    const plan_tensor *t = w->plan->tensors.items[i];
    bool is_input = t->place == PLAN_INPUT || t->place == PLAN_INPUT_WEIGHT;
    if (is_input && !t->whole) json_array_append_new(list, input_json(w, t));
  }
  return list;
}

static const char *domain_of(ir_type type) {
  switch (type.kind) {
  case IR_KIND_node: return ir_part_type(type.set) >= 0 ? "part" : "node";
  case IR_KIND_edge: return "edge";
  case IR_KIND_per: return type.set;
  default: return "plain";
  }
}

static json_t *output_json(writer *w, const plan_output *o) {
  const plan_tensor *t = o->tensor;
  json_t *made = json_object();
  set(made, "name", json_string(o->name));
  set(made, "kind", json_string(t->edges ? "values" : "rows"));
  set(made, "domain", json_string(domain_of(o->type)));
  set(made, "shape", shape_json(ir_type_payload(o->type)));
  if (!t->edges) {
    set_rows(w, made, t);
    return made;
  }
  json_t *addresses = json_array();
  for (int64_t h = 0; h < t->width; h++)
    json_array_append_new(addresses, json_integer((json_int_t)(t->address + (uint64_t)h * t->array_bytes)));
  set(made, "set", json_string(o->type.set ? o->type.set : ""));
  set(made, "rows", json_integer(t->rows));
  set(made, "width", json_integer(t->width));
  set(made, "heads", json_integer(t->width));
  set(made, "addresses", addresses);
  set(made, "order", edge_order_json(w, t));
  return made;
}

static json_t *outputs_json(writer *w) {
  json_t *list = json_array();
  for (size_t i = 0; i < w->plan->outputs.count; i++)
    json_array_append_new(list, output_json(w, &w->plan->outputs.items[i]));
  return list;
}

static json_t *tensors_json(const plan *p) {
  static const char *const kinds[] = {
#define ENUM(kind, name, value) #kind "." #name,
#include "isa/graphagile.def"
  };
  json_t *list = json_array();
  for (size_t i = 0; i < p->tensors.count; i++) {
    const plan_tensor *t = p->tensors.items[i];
    if (t->whole || t->is_gone) continue;
    bool is_constant = t->place == PLAN_CONSTANT || t->place == PLAN_INPUT_WEIGHT;
    const char *kind = "hidden";
    for (size_t k = 0, n = 0; k < sizeof kinds / sizeof kinds[0]; k++)
      if (!strncmp(kinds[k], "KIND.", 5) && (int)n++ == t->kind) kind = kinds[k] + 5;
    json_t *made = json_object();
    set(made, "name", json_string(t->name));
    set(made, "section", json_string(is_constant ? ".weights" : ".features"));
    set(made, "address", json_integer((json_int_t)t->address));
    set(made, "bytes", json_integer((json_int_t)t->bytes));
    set(made, "kind", json_string(kind));
    json_array_append_new(list, made);
  }
  return list;
}

static json_t *layers_json(const plan *p) {
  static const char *const ops[] = {[PLAN_GEMM] = "gemm", [PLAN_SPDMM] = "spdmm", [PLAN_SDDMM] = "sddmm",
                                    [PLAN_VADD] = "vadd", [PLAN_MAP] = "map",     [PLAN_VALUES] = "values"};
  json_t *list = json_array();
  for (size_t i = 0; i < p->layers.count; i++) {
    const plan_layer *l = &p->layers.items[i];
    const partition_shape *shape = l->edges ? &l->edges->shape->shape : NULL;
    json_t *made = json_object(), *tile = json_array();
    json_array_append_new(tile, json_integer(l->tile.rows));
    json_array_append_new(tile, json_integer(l->tile.fibers));
    json_array_append_new(tile, json_integer(shape ? shape->src_rows : l->tile.inner));
    set(made, "id", json_integer((json_int_t)i));
    set(made, "op", json_string(ops[l->kind]));
    set(made, "name", json_string(l->name));
    set(made, "line", json_integer(l->line));
    set(made, "blocks", json_integer(l->blocks));
    set(made, "tile", tile);
    set(made, "multiply_adds", json_integer((json_int_t)l->multiply_adds));
    set(made, "cycles", json_integer((json_int_t)l->cycles));
    set(made, "floor_cycles", json_integer((json_int_t)l->floor));
    json_array_append_new(list, made);
  }
  return list;
}

static json_t *relations_json(const plan *p) {
  json_t *list = json_array();
  for (size_t i = 0; i < p->edges.count; i++) {
    const plan_edges *e = p->edges.items[i];
    json_t *made = json_object();
    set(made, "name", json_string(e->name));
    set(made, "kind", json_string(e->kind));
    set(made, "from_rows", json_integer(e->list->from_rows));
    set(made, "to_rows", json_integer(e->list->to_rows));
    set(made, "edges", json_integer(e->list->edges));
    set(made, "src_rows", json_integer(e->shape->shape.src_rows));
    set(made, "dst_rows", json_integer(e->shape->shape.dst_rows));
    set(made, "shards", json_integer(e->partition.shards));
    set(made, "pieces", json_integer(e->partition.num_pieces));
    set(made, "packed", json_boolean(e->is_packed));
    set(made, "address", json_integer((json_int_t)e->address));
    json_array_append_new(list, made);
  }
  return list;
}

static json_t *options_json(const overlay_options *o) {
  json_t *made = json_object();
  set(made, "overlap", json_boolean(o->overlap));
  set(made, "skip_empty", json_boolean(o->skip_empty));
  set(made, "balance", json_boolean(o->balance));
  set(made, "broadcast", json_boolean(o->broadcast));
  set(made, "packed", json_boolean(o->packed));
  set(made, "paper", json_boolean(o->paper));
  set(made, "no_data", json_boolean(o->no_data));
  return made;
}

static void write_rows(writer *w, image *out) {
  if (!w->bytes) return;
  char *data = arena_alloc(w->plan->arena, (size_t)w->bytes);
  out->sections[IMAGE_ROWS] = (image_section){.size = (uint64_t)w->bytes, .data = (const unsigned char *)data};
  for (size_t i = 0; i < w->permutations.count; i++) {
    size_t bytes = (size_t)w->counts.items[i] * sizeof(int32_t);
    memcpy(data, w->permutations.items[i], bytes);
    data += bytes;
  }
}

bool manifest_write(plan *p, image *out) {
  writer w = {.plan = p, .orders = {.arena = p->arena, .of_strings = true}};
  json_t *root = json_object(), *floor = json_object();
  set(floor, "cycles", json_integer((json_int_t)p->floor));
  set(floor, "ms", json_real(p->floor / (p->device->clock_mhz * 1000.0)));
  set(root, "model", json_string(p->model));
  set(root, "inputs", inputs_json(&w));
  set(root, "outputs", outputs_json(&w));
  set(root, "tensors", tensors_json(p));
  set(root, "layers", layers_json(p));
  set(root, "relations", relations_json(p));
  set(root, "floor", floor);
  set(root, "options", options_json(p->options));
  char *dumped = json_dumps(root, JSON_COMPACT);
  json_decref(root);
  if (!dumped) return plan_check(p, status_error(STATUS_CODE_memory, "the manifest cannot be written"));
  size_t size = strlen(dumped);
  out->sections[IMAGE_PROGRAM] =
      (image_section){.size = size, .data = (const unsigned char *)arena_strndup(p->arena, dumped, size)};
  free(dumped);
  write_rows(&w, out);
  return !p->error;
}
