/* The target graphagile: its switches as the compiler's options. */
#include "codegen/backend.h"

#include "codegen/graphagile/compile.h"

static graphagile_options options_of(const backend_options *o) {
  const graphagile_device *d = &o->device.graphagile;
  const feature_set *f = &o->features;
  return (graphagile_options){
      .device = o->device,
      .overlap = feature_is_allowed(f, FEATURE_overlap),
      .skip_empty = feature_is_allowed(f, FEATURE_skip_empty),
      .balance = feature_is_allowed(f, FEATURE_balance),
      .broadcast = feature_is_allowed(f, FEATURE_broadcast) && d->has_broadcast,
      .packed = feature_is_allowed(f, FEATURE_packed_edges) && d->has_packed_edges,
      .fuse = feature_is_allowed(f, FEATURE_fuse_activation),
      .attention = feature_is_allowed(f, FEATURE_fuse_attention),
      .paper = o->preset,
      .no_data = o->no_data,
      .no_weights = o->no_weights,
      .threads = o->threads,
  };
}

/* The paper has a layer for each product. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)end;
  pipeline_add_device(p, o->device.graphagile.width, !o->preset);
}

static status check(const backend_options *o) {
  const graphagile_device *d = &o->device.graphagile;
  if (o->features.given[FEATURE_broadcast] == FEATURE_WHEN_always && !d->has_broadcast)
    return status_error(STATUS_CODE_mismatch,
                        "-fbroadcast: device '%s' has no broadcast; --device-set=has_broadcast=true says it has",
                        d->name);
  if (o->features.given[FEATURE_packed_edges] == FEATURE_WHEN_always && !d->has_packed_edges)
    return status_error(
        STATUS_CODE_mismatch,
        "-fpacked-edges: device '%s' has no packed edges; --device-set=has_packed_edges=true says it has", d->name);
  return STATUS_OK;
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  graphagile_options options = options_of(o);
  return graphagile_compile_plan(module, host, &options, d);
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  graphagile_options options = options_of(o);
  return graphagile_compile(module, host, &options, source_text, d, a, out, manifest, seconds, error);
}

static const feature off_in_paper[] = {FEATURE_order, FEATURE_sparse_features};
static const backend_preset presets[] = {
    {"paper",
     "compile as GraphAGILE's tables were made: its partitioning and memory, dense features, layers in the model's "
     "order",
     "memory=paper", off_in_paper, sizeof off_in_paper / sizeof *off_in_paper},
};

const backend graphagile_backend = {
    .name = "graphagile",
    .summary = "the GraphAGILE overlay",
    .machine = &graphagile_machine,
    .presets = presets,
    .num_presets = sizeof presets / sizeof *presets,
    .add_passes = add_passes,
    .check = check,
    .plan = plan,
    .compile = compile,
};
