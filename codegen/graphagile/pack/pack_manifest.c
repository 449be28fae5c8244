/* What the image of a plan says of itself: a program_manifest, and the permutations of rows that it
 * names. */
#include "codegen/graphagile/pack/pack_manifest.h"

#include "codegen/device/interface.h"
#include "codegen/device/program_rows.h"

typedef struct packer {
  graphagile_plan *plan;
  program_manifest *out;
  program_rows rows;
} packer;

/* The byte offset of the user's edge of each record, NO_ORDER where they are in the user's order. */
static int64_t edge_order(packer *w, const graphagile_plan_tensor *t) {
  graphagile_plan *p = w->plan;
  const program_edge_list *list = t->edges->list;
  const int32_t *position = t->edges->partition.position;
  if (!position) return PROGRAM_MANIFEST_NO_ORDER;
  int32_t *order = arena_alloc_array(p->arena, (size_t)list->edges, sizeof *order);
  for (int64_t i = 0; i < list->edges; i++) order[position[i]] = list->edge ? list->edge[i] : (int32_t)i;
  return program_rows_add(&w->rows, order, list->edges);
}

/* ---- inputs and outputs ---- */

static program_manifest_place place_of(packer *w, const graphagile_plan_tensor *t, const char *set) {
  program_manifest_place place = {
      .set = set, .rows = t->rows, .width = t->width, .address = t->address, .is_on_device = true};
  if (t->edges) {
    place.is_values = true;
    place.heads = t->width;
    place.array_bytes = t->array_bytes;
    place.order = edge_order(w, t);
  } else {
    place.stride = t->stride;
    graphagile_plan_check(w->plan, program_rows_of_set(&w->rows, t->set, t->rows, &place.order));
  }
  return place;
}

static void add_input(packer *w, const graphagile_plan_tensor *t) {
  program_manifest_input input = interface_input(w->plan->arena, t->input);
  input.place = place_of(w, t, t->set);
  VEC_PUSH(w->plan->arena, &w->out->inputs, input);
}

static void add_output(packer *w, const graphagile_plan_output *o) {
  const graphagile_plan_tensor *t = o->tensor;
  program_manifest_output output = interface_output(w->plan->function, o->index);
  output.place = place_of(w, t, t->edges ? output.set : t->set);
  VEC_PUSH(w->plan->arena, &w->out->outputs, output);
}

static void add_places(packer *w) {
  const graphagile_plan *p = w->plan;
  for (size_t i = 0; i < p->tensors.count; i++) {
    const graphagile_plan_tensor *t = p->tensors.items[i];
    bool is_input = t->place == GRAPHAGILE_PLAN_INPUT || t->place == GRAPHAGILE_PLAN_INPUT_WEIGHT;
    if (is_input && !t->whole) add_input(w, t);
  }
  for (size_t i = 0; i < p->outputs.count; i++) add_output(w, &p->outputs.items[i]);
}

/* ---- for people and statistics ---- */

static void add_tensors(const graphagile_plan *p, program_manifest *out) {
  for (size_t i = 0; i < p->tensors.count; i++) {
    const graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->whole || t->is_gone) continue;
    program_manifest_tensor made = {.name = t->name,
                                    .section = graphagile_plan_is_weights(t) ? ".weights" : ".features",
                                    .kind = graphagile_value_name(GRAPHAGILE_VALUES_KIND, (uint64_t)t->kind),
                                    .address = t->address,
                                    .bytes = t->bytes};
    VEC_PUSH(p->arena, &out->tensors, made);
  }
}

static void add_layers(const graphagile_plan *p, program_manifest *out) {
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    program_manifest_layer layer = {.op = graphagile_plan_kind_name(l->kind),
                                    .name = l->name,
                                    .line = l->line,
                                    .blocks = l->blocks,
                                    .tile = {l->tile.rows, l->tile.fibers, graphagile_plan_inner_rows(l)},
                                    .multiply_adds = l->multiply_adds,
                                    .cycles = (int64_t)l->cycles,
                                    .floor_cycles = (int64_t)l->floor};
    VEC_PUSH(p->arena, &out->layers, layer);
  }
}

static void add_edge_lists(const graphagile_plan *p, program_manifest *out) {
  for (size_t i = 0; i < p->edges.count; i++) {
    const graphagile_plan_edge_list *e = p->edges.items[i];
    program_manifest_edge_list list = {.name = e->name,
                                       .kind = e->kind,
                                       .from_rows = e->list->from_rows,
                                       .to_rows = e->list->to_rows,
                                       .edges = e->list->edges,
                                       .src_rows = e->shape->shape.src_rows,
                                       .dst_rows = e->shape->shape.dst_rows,
                                       .shards = e->partition.shards,
                                       .pieces = e->partition.num_pieces,
                                       .is_packed = e->is_packed,
                                       .address = e->address};
    VEC_PUSH(p->arena, &out->edge_lists, list);
  }
}

static void add_options(const graphagile_plan *p, program_manifest *out) {
  const graphagile_options *o = p->options;
  const program_manifest_option options[] = {
      {"overlap", o->overlap},     {"skip_empty", o->skip_empty}, {"balance", o->balance},
      {"broadcast", o->broadcast}, {"packed", o->packed},         {"fuse", o->fuse},
      {"attention", o->attention}, {"paper", o->paper},           {"no_data", o->no_data},
  };
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) VEC_PUSH(p->arena, &out->options, options[i]);
}

bool graphagile_pack_manifest(graphagile_plan *p, program_manifest *out, image *im) {
  packer w = {.plan = p, .out = out, .rows = program_rows_begin(p->arena, p->host)};
  *out = (program_manifest){.model = p->model,
                            .has_floor = true,
                            .floor_cycles = (int64_t)p->floor,
                            .floor_ms = p->floor / (p->device->clock_mhz * 1000.0)};
  add_places(&w);
  add_tensors(p, out);
  add_layers(p, out);
  add_edge_lists(p, out);
  add_options(p, out);
  program_rows_write(&w.rows, im);
  return !p->error;
}
