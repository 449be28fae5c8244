/* The manifest of an image (program_manifest.h) from a finished plan, with the permutations of rows
 * that it refers to. */
#include "codegen/graphagile/pack/pack_manifest.h"

#include "codegen/device/interface.h"
#include "codegen/device/steps/step_place.h"
#include "codegen/graphagile/pack/pack_steps.h"

/* Of comparisons with C where rows are fp16: eight times the roundoff of one number, because roundings add up from layer to
 * layer. */
#define HALF_TOLERANCE (8 * 0x1p-11)

typedef struct packer {
  graphagile_plan *plan;
  program_manifest *out;
  program_rows rows;
  step_writer steps; /* host steps; empty where the whole program is one run of the device */
} packer;

static program_manifest_place rows_place(packer *w, const graphagile_plan_tensor *t) {
  program_manifest_place place = graphagile_pack_place(w->plan, &w->rows, t, NULL);
  const graphagile_plan_permutation *permutation = graphagile_plan_permutation_of(w->plan, t->set);
  if (permutation)
    place.order = program_rows_add_once(&w->rows, permutation->user, permutation->rows);
  else
    graphagile_plan_check(w->plan, program_rows_of_set(&w->rows, t->set, t->rows, &place.order));
  return place;
}

/* Adds an input of the user, which may be in device memory, in an array of the host's steps, or in
 * both. */
static void add_input(packer *w, MlirOperation op) {
  graphagile_plan *p = w->plan;
  const graphagile_plan_tensor *t = graphagile_plan_find_tensor(p, ir_result(op));
  bool is_array = step_writer_find(&w->steps, ir_result(op)) >= 0 && !interface_is_weight(op);
  program_manifest_input input = interface_input(p->arena, op);
  if (t) input.place = rows_place(w, t);
  if (is_array && t) input.place.array = step_writer_find(&w->steps, ir_result(op)) + 1;
  if (is_array && !t)
    graphagile_plan_check(
        p, step_place_make(&w->steps, &w->rows, ir_result(op), ir_type_of(ir_result(op)).set, &input.place));
  if (t || is_array) VEC_PUSH(p->arena, &w->out->inputs, input);
}

static void add_output(packer *w, const graphagile_plan_output *o) {
  graphagile_plan *p = w->plan;
  const graphagile_plan_tensor *t = o->tensor;
  program_manifest_output output = interface_output(p->function, o->index);
  MlirValue value = interface_output_value(p->function, o->index);
  const char *set = ir_type_of(value).kind == IR_KIND_values ? output.set : ir_type_of(value).set;
  if (!t)
    graphagile_plan_check(p, step_place_make(&w->steps, &w->rows, value, set, &output.place));
  else if (t->edges)
    output.place = graphagile_pack_place(p, &w->rows, t, t->edges->list->edge);
  else
    output.place = rows_place(w, t);
  output.place.set = set;
  VEC_PUSH(p->arena, &w->out->outputs, output);
}

static void add_places(packer *w) {
  const graphagile_plan *p = w->plan;
  IR_FOR_EACH_OP(op, ir_func_body(p->function))
    if (ir_op_kind(op) == IR_OP(device, input)) add_input(w, op);
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
                                    .bytes = t->bytes,
                                    .layout = graphagile_plan_layout(t)};
    VEC_PUSH(p->arena, &out->tensors, made);
  }
}

static void add_layers(const graphagile_plan *p, program_manifest *out) {
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    if (l->kind == GRAPHAGILE_PLAN_host) continue;
    program_manifest_layer layer = {.op = graphagile_plan_kind_name(l->kind),
                                    .name = l->name,
                                    .file = ir_location_shown_file(l->file),
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
      {"overlap", o->overlap},     {"skip_empty", o->skip_empty},
      {"balance", o->balance},     {"broadcast", o->broadcast},
      {"packed", o->packed},       {"fuse", o->fuse},
      {"attention", o->attention}, {"product", o->product},
      {"permute", o->permute},     {"order_records", o->order_records},
      {"paper", o->paper},         {"no_data", o->no_data},
      {"half", o->half},
  };
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) VEC_PUSH(p->arena, &out->options, options[i]);
}

/* Adds the host steps, with the runs of the device between them. */
static void add_steps(packer *w, image *im) {
  text steps = {0};
  graphagile_plan_check(w->plan, step_writer_end(&w->steps, &steps, im));
  w->out->steps = text_keep(&steps, w->plan->arena);
}

bool graphagile_pack_manifest(graphagile_plan *p, program_manifest *out, image *im) {
  bool no_data = p->options->no_data || p->options->no_weights;
  packer w = {.plan = p,
              .out = out,
              .rows = program_rows_begin(p->arena, p->host),
              .steps = step_writer_begin(p->arena, p->host, no_data)};
  *out = (program_manifest){.model = p->model,
                            .has_floor = true,
                            .tolerance = p->options->half ? HALF_TOLERANCE : 0,
                            .floor_cycles = (int64_t)p->floor,
                            .floor_ms = p->floor / (p->device->clock_mhz * 1000.0)};
  if (p->has_host) graphagile_pack_steps(p, &w.rows, &w.steps);
  add_places(&w);
  add_tensors(p, out);
  add_layers(p, out);
  add_edge_lists(p, out);
  add_options(p, out);
  if (p->has_host) add_steps(&w, im);
  program_rows_write(&w.rows, im);
  return !p->error;
}
