/* The target graphagile as a row of the table of targets: its options, its presets, and the
 * operations that the overlay executes. */
#include "codegen/backend.h"

#include "codegen/device/steps/place.h"
#include "codegen/graphagile/compile.h"
#include "isa/graphagile/graphagile.h"

static graphagile_options options_of(const backend_options *o) {
  const graphagile_device *d = &o->device.graphagile;
  const feature_set *f = &o->features;
  return (graphagile_options){
      .device = o->device,
      .overlap = feature_is_allowed(f, FEATURE_overlap),
      .skip_empty = feature_is_allowed(f, FEATURE_skip_empty),
      .order_records = feature_is_allowed(f, FEATURE_order_records),
      .balance = feature_is_allowed(f, FEATURE_balance),
      .broadcast = feature_is_allowed(f, FEATURE_broadcast) && d->has_broadcast,
      .packed = feature_is_allowed(f, FEATURE_packed_edges) && d->has_packed_edges,
      .compact = feature_is_allowed(f, FEATURE_compact_columns) && d->has_compact_columns,
      .half = o->features.given[FEATURE_half_rows] == FEATURE_WHEN_always && d->has_half_rows,
      .fuse = feature_is_allowed(f, FEATURE_fuse_activation),
      .permute_always = f->given[FEATURE_permute_nodes] == FEATURE_WHEN_always,
      .permute = feature_is_allowed(f, FEATURE_permute_nodes),
      .attention = feature_is_allowed(f, FEATURE_fuse_attention),
      .product = feature_is_allowed(f, FEATURE_fuse_product),
      .every_product = f->given[FEATURE_fuse_product] == FEATURE_WHEN_always,
      .paper = o->preset,
      .no_data = o->no_data,
      .no_weights = o->no_weights,
      .remarks = o->remarks,
      .threads = o->threads,
  };
}

/* The preset `paper` keeps one layer per product, as the paper does; otherwise the pipeline
 * merges products. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)end;
  pipeline_add_device(p, o->device.graphagile.width, !o->preset);
}

static status check(const backend_options *o) {
  const graphagile_device *d = &o->device.graphagile;
  if (o->preset && o->features.given[FEATURE_fuse_product] == FEATURE_WHEN_always)
    return status_error(STATUS_CODE_mismatch, "-ffuse-product: the paper stores the sums of each Aggregate; leave out "
                                              "--preset=paper or -ffuse-product");
  if (o->features.given[FEATURE_broadcast] == FEATURE_WHEN_always && !d->has_broadcast)
    return status_error(STATUS_CODE_mismatch,
                        "-fbroadcast: device '%s' has no broadcast; --device-set=has_broadcast=true says it has",
                        d->name);
  if (o->features.given[FEATURE_packed_edges] == FEATURE_WHEN_always && !d->has_packed_edges)
    return status_error(
        STATUS_CODE_mismatch,
        "-fpacked-edges: device '%s' has no packed edges; --device-set=has_packed_edges=true says it has", d->name);
  if (o->features.given[FEATURE_compact_columns] == FEATURE_WHEN_always && !d->has_compact_columns)
    return status_error(STATUS_CODE_mismatch,
                        "-fcompact-columns: device '%s' has no rows of one number; "
                        "--device-set=has_compact_columns=true says it has",
                        d->name);
  if (o->features.given[FEATURE_half_rows] == FEATURE_WHEN_always && !d->has_half_rows)
    return status_error(STATUS_CODE_mismatch,
                        "-fhalf-rows: device '%s' has no rows of fp16; --device-set=has_half_rows=true says it has",
                        d->name);
  return STATUS_OK;
}

/* ---- what the machine executes ---- */

static bool has_function(elementwise_unary function, const void *user) {
  uint64_t value;
  (void)user;
  return isa_find_value(&graphagile_isa, GRAPHAGILE_VALUES_FUNCTION, elementwise_unaries[function].name, &value);
}

static bool has_vector(MlirOperation op) {
  uint64_t value;
  return isa_find_value(&graphagile_isa, GRAPHAGILE_VALUES_VECTOR, ir_get_string(op, "function", ""), &value);
}

/* The overlay moves whole fibers, so parts of rows must begin at a multiple of `width` columns.
 * A sum begins with at most one bias row for all rows. */
static bool runs(MlirOperation op, const void *user) {
  const graphagile_device *d = user;
  switch (ir_op_kind(op)) {
  case IR_OP(device, spdmm): {
    MlirValue bias = ir_operand(op, IR_IN(device, spdmm, bias));
    return ir_value_is_null(bias) || ir_type_of(bias).kind != IR_KIND_per;
  }
  case IR_OP(device, vadd):
  case IR_OP(device, values_vadd): return has_vector(op);
  case IR_OP(device, concat): return ir_type_of(ir_operand(op, IR_IN(device, concat, a))).dims[0] % d->width == 0;
  case IR_OP(device, columns): return ir_get_integer(op, "begin", 0) % d->width == 0;
  case IR_OP(device, layer): return false; /* its passes make none */
  default: return true;
  }
}

static void place(arena *a, MlirModule module, const backend_options *o) {
  place_rules rules = {.runs = runs, .has_function = has_function, .user = &o->device.graphagile, .host = o->host};
  place_operations(a, ir_func_first(mlirModuleGetOperation(module)), &rules);
}

/* ---- the target ---- */

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  graphagile_options options = options_of(o);
  arena *a = arena_create();
  place(a, module, o);
  arena_destroy(a);
  return graphagile_compile_plan(module, host, &options, d);
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  graphagile_options options = options_of(o);
  place(a, module, o);
  return graphagile_compile(module, host, &options, source_text, d, a, out, manifest, seconds, error);
}

static const feature off_in_paper[] = {FEATURE_order, FEATURE_sparse_features, FEATURE_permute_nodes,
                                       FEATURE_order_records, FEATURE_fuse_product};
static const backend_preset presets[] = {
    {"paper",
     "compile as GraphAGILE's tables were made: its partitioning and memory, dense features, layers in the model's "
     "order",
     "memory=paper", off_in_paper, sizeof off_in_paper / sizeof *off_in_paper},
};

/* A layer reads its rows from DDR and writes them back. */
static const char *relation_cost(const backend_options *o, arena *a) {
  (void)o;
  (void)a;
  return "cost=rows";
}

const backend graphagile_backend = {
    .name = "graphagile",
    .summary = "the GraphAGILE overlay",
    .machine = &graphagile_machine,
    .presets = presets,
    .num_presets = sizeof presets / sizeof *presets,
    .add_passes = add_passes,
    .relation_cost = relation_cost,
    .check = check,
    .plan = plan,
    .compile = compile,
};
