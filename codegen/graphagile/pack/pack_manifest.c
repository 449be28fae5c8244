/* The manifest of an image: where inputs and outputs lie, in which order of rows; tensors, layers and partitions for people and statistics. */
#include "codegen/graphagile/pack/pack_manifest.h"

#include "support/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
  graphagile_plan *plan;
  text json;
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

/* The byte offset of the order of a set's rows, -1 where they are in the user's. */
static int64_t row_order(writer *w, const graphagile_plan_tensor *t) {
  graphagile_plan *p = w->plan;
  const int32_t *order = NULL;
  int64_t known = map_get(&w->orders, t->set, 0);
  if (known) return known - 1;
  if (!graphagile_plan_check(p, program_host_set_order(p->host, t->set, &order)) || !order) return -1;
  int32_t *copy = arena_alloc_array(p->arena, (size_t)t->rows, sizeof *copy);
  memcpy(copy, order, (size_t)t->rows * sizeof *copy);
  known = add_permutation(w, copy, t->rows);
  map_set(&w->orders, t->set, known + 1);
  return known;
}

/* The byte offset of the user's edge of each record, -1 where they are in the user's order. */
static int64_t edge_order(writer *w, const graphagile_plan_tensor *t) {
  graphagile_plan *p = w->plan;
  const program_edge_list *list = t->edges->list;
  const int32_t *position = t->edges->partition.position;
  if (!position) return -1;
  int32_t *order = arena_alloc_array(p->arena, (size_t)list->edges, sizeof *order);
  for (int64_t i = 0; i < list->edges; i++) order[position[i]] = list->edge ? list->edge[i] : (int32_t)i;
  return add_permutation(w, order, list->edges);
}

/* ---- JSON: each value brings the comma before it ---- */

static void open_item(text *t) {
  char last = t->data[t->size - 1];
  text_append(t, last == '[' ? "{" : ",{");
}

static void string_member(text *t, const char *key, const char *value) {
  text_append(t, key);
  text_append_json(t, value);
}

static void order_member(text *t, int64_t order) {
  if (order < 0)
    text_append(t, ",\"order\":null");
  else
    text_printf(t, ",\"order\":%" PRId64, order);
}

/* A number that reads back the same, with a point, so that it does not become a whole one. */
static void real_member(text *t, const char *key, double value) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", isfinite(value) ? value : 0.0);
  text_printf(t, "%s%s%s", key, digits, strpbrk(digits, ".e") ? "" : ".0");
}

static void shape_member(text *t, ir_type type) {
  text_append(t, ",\"shape\":[");
  for (unsigned d = 0; d < type.rank; d++) text_printf(t, d ? ",%" PRId64 : "%" PRId64, type.dims[d]);
  text_append(t, "]");
}

/* ---- inputs and outputs ---- */

static void rows_members(writer *w, const graphagile_plan_tensor *t) {
  string_member(&w->json, ",\"set\":", t->set);
  text_printf(&w->json, ",\"rows\":%" PRId64 ",\"width\":%" PRId64 ",\"address\":%" PRIu64 ",\"stride\":%" PRId64,
              t->rows, t->width, t->address, t->stride);
  order_member(&w->json, row_order(w, t));
}

static void print_input(writer *w, const graphagile_plan_tensor *t) {
  graphagile_plan *p = w->plan;
  text *json = &w->json;
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(t->value);
  MlirAttribute from = ir_func_arg_attr(p->function, index, "gnn.from");
  MlirStringRef s = mlirAttributeIsNull(from) ? mlirStringRefCreateFromCString(t->name) : mlirStringAttrGetValue(from);
  open_item(json);
  string_member(json, "\"name\":", t->name);
  string_member(json, ",\"from\":", arena_strndup(p->arena, s.data, s.length));
  string_member(json, ",\"space\":", t->place == GRAPHAGILE_PLAN_INPUT ? "graph" : "weights");
  shape_member(json, ir_type_payload(ir_type_of(t->value)));
  rows_members(w, t);
  text_append(json, "}");
}

static void print_inputs(writer *w) {
  text_append(&w->json, ",\"inputs\":[");
  for (size_t i = 0; i < w->plan->tensors.count; i++) {
    const graphagile_plan_tensor *t = w->plan->tensors.items[i];
    bool is_input = t->place == GRAPHAGILE_PLAN_INPUT || t->place == GRAPHAGILE_PLAN_INPUT_WEIGHT;
    if (is_input && !t->whole) print_input(w, t);
  }
  text_append(&w->json, "]");
}

static const char *domain_of(ir_type type) {
  switch (type.kind) {
  case IR_KIND_node: return ir_part_type(type.set) >= 0 ? "part" : "node";
  case IR_KIND_edge: return "edge";
  case IR_KIND_per: return type.set;
  default: return "plain";
  }
}

static void values_members(writer *w, const graphagile_plan_tensor *t, const char *set) {
  text *json = &w->json;
  string_member(json, ",\"set\":", set);
  text_printf(json, ",\"rows\":%" PRId64 ",\"width\":%" PRId64 ",\"heads\":%" PRId64 ",\"addresses\":[", t->rows,
              t->width, t->width);
  for (int64_t h = 0; h < t->width; h++)
    text_printf(json, h ? ",%" PRIu64 : "%" PRIu64, t->address + (uint64_t)h * t->array_bytes);
  text_append(json, "]");
  order_member(json, edge_order(w, t));
}

static void print_output(writer *w, const graphagile_plan_output *o) {
  const graphagile_plan_tensor *t = o->tensor;
  text *json = &w->json;
  open_item(json);
  string_member(json, "\"name\":", o->name);
  string_member(json, ",\"kind\":", t->edges ? "values" : "rows");
  string_member(json, ",\"domain\":", domain_of(o->type));
  shape_member(json, ir_type_payload(o->type));
  if (t->edges)
    values_members(w, t, o->type.set);
  else
    rows_members(w, t);
  text_append(json, "}");
}

static void print_outputs(writer *w) {
  text_append(&w->json, ",\"outputs\":[");
  for (size_t i = 0; i < w->plan->outputs.count; i++) print_output(w, &w->plan->outputs.items[i]);
  text_append(&w->json, "]");
}

/* ---- for people and statistics ---- */

static void print_tensors(const graphagile_plan *p, text *json) {
  static const char *const kinds[] = {
#define ENUM(kind, name, value) #kind "." #name,
#include "isa/graphagile/graphagile.def"
  };
  text_append(json, ",\"tensors\":[");
  for (size_t i = 0; i < p->tensors.count; i++) {
    const graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->whole || t->is_gone) continue;
    bool is_constant = t->place == GRAPHAGILE_PLAN_CONSTANT || t->place == GRAPHAGILE_PLAN_INPUT_WEIGHT;
    const char *kind = "hidden";
    for (size_t k = 0, n = 0; k < sizeof kinds / sizeof kinds[0]; k++)
      if (!strncmp(kinds[k], "KIND.", 5) && (int)n++ == t->kind) kind = kinds[k] + 5;
    open_item(json);
    string_member(json, "\"name\":", t->name);
    text_printf(json, ",\"section\":\"%s\",\"address\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"kind\":\"%s\"}",
                is_constant ? ".weights" : ".features", t->address, t->bytes, kind);
  }
  text_append(json, "]");
}

static void print_layers(const graphagile_plan *p, text *json) {
  text_append(json, ",\"layers\":[");
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    open_item(json);
    text_printf(json, "\"id\":%zu,\"op\":\"%s\"", i, graphagile_plan_kind_name(l->kind));
    string_member(json, ",\"name\":", l->name);
    text_printf(json, ",\"line\":%u,\"blocks\":%" PRId64 ",\"tile\":[%" PRId64 ",%" PRId64 ",%" PRId64 "]", l->line,
                l->blocks, l->tile.rows, l->tile.fibers, graphagile_plan_inner_rows(l));
    text_printf(json, ",\"multiply_adds\":%" PRIu64 ",\"cycles\":%" PRId64 ",\"floor_cycles\":%" PRId64 "}",
                l->multiply_adds, (int64_t)l->cycles, (int64_t)l->floor);
  }
  text_append(json, "]");
}

static void print_relations(const graphagile_plan *p, text *json) {
  text_append(json, ",\"relations\":[");
  for (size_t i = 0; i < p->edges.count; i++) {
    const graphagile_plan_edge_list *e = p->edges.items[i];
    const graphagile_partition_shape *shape = &e->shape->shape;
    open_item(json);
    string_member(json, "\"name\":", e->name);
    string_member(json, ",\"kind\":", e->kind);
    text_printf(json, ",\"from_rows\":%" PRId64 ",\"to_rows\":%" PRId64 ",\"edges\":%" PRId64, e->list->from_rows,
                e->list->to_rows, e->list->edges);
    text_printf(json, ",\"src_rows\":%" PRId64 ",\"dst_rows\":%" PRId64, (int64_t)shape->src_rows,
                (int64_t)shape->dst_rows);
    text_printf(json, ",\"shards\":%" PRId64 ",\"pieces\":%" PRId64 ",\"packed\":%s,\"address\":%" PRIu64 "}",
                (int64_t)e->partition.shards, (int64_t)e->partition.num_pieces, e->is_packed ? "true" : "false",
                e->address);
  }
  text_append(json, "]");
}

static void print_options(const graphagile_options *o, text *json) {
  const struct {
    const char *name;
    bool value;
  } options[] = {
      {"overlap", o->overlap},     {"skip_empty", o->skip_empty}, {"balance", o->balance},
      {"broadcast", o->broadcast}, {"packed", o->packed},         {"fuse", o->fuse},
      {"attention", o->attention}, {"paper", o->paper},           {"no_data", o->no_data},
  };
  text_append(json, ",\"options\":{");
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    text_printf(json, "%s\"%s\":%s", i ? "," : "", options[i].name, options[i].value ? "true" : "false");
  text_append(json, "}");
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

bool graphagile_pack_manifest(graphagile_plan *p, image *out) {
  writer w = {.plan = p, .orders = {.arena = p->arena, .of_strings = true}};
  text *json = &w.json;
  string_member(json, "{\"model\":", p->model);
  print_inputs(&w);
  print_outputs(&w);
  print_tensors(p, json);
  print_layers(p, json);
  print_relations(p, json);
  text_printf(json, ",\"floor\":{\"cycles\":%" PRId64, (int64_t)p->floor);
  real_member(json, ",\"ms\":", p->floor / (p->device->clock_mhz * 1000.0));
  text_append(json, "}");
  print_options(p->options, json);
  text_append(json, "}");
  out->sections[IMAGE_PROGRAM] = (image_section){
      .size = json->size, .data = (const unsigned char *)arena_strndup(p->arena, text_str(json), json->size)};
  text_free(json);
  write_rows(&w, out);
  return !p->error;
}
