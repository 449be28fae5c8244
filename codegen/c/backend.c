/* The C target: passes through the inter-operator and intra-operator levels, then codegen.h. */
#include "codegen/backend.h"

#include "codegen/c/codegen.h"

static void add_exchange(pipeline_draft *p, const char *pass) {
  pipeline_add(p, pass);
  if (!pipeline_is_on(p, FEATURE_exchange_loops)) pipeline_set(p, "exchange=false");
}

/* Adds the passes that merge loops. The exchange edges() == nodes() x incoming() is an option of
 * theirs. */
static void add_fusion(pipeline_draft *p, const feature_set *features) {
  if (pipeline_is_on(p, FEATURE_fuse_loops)) {
    add_exchange(p, "inter-fuse");
    pipeline_add(p, "inter-canonicalize,gnn-cse");
  }
  if (pipeline_is_on(p, FEATURE_fuse_softmax)) {
    add_exchange(p, "inter-fuse-softmax");
    pipeline_add(p, "inter-canonicalize,gnn-cse");
  } else if (!feature_is_allowed(features, FEATURE_fuse_softmax) && pipeline_is_on(p, FEATURE_fuse_loops)) {
    pipeline_add(p, "inter-fuse-softmax{when=never}"); /* the pass still reports what it would have gained */
  }
}

/* Adds the pass that computes sums in the loop of a product, when all sums are there. It looks at
 * merged loops. */
static void add_sums(pipeline_draft *p, const feature_set *features) {
  bool is_forced = features->given[FEATURE_fuse_sums] == FEATURE_WHEN_always;
  if (!pipeline_is_on(p, FEATURE_fuse_sums)) return;
  if (!is_forced && !pipeline_is_on(p, FEATURE_fuse_loops)) return;
  pipeline_add(p, "inter-fuse-sums");
  if (is_forced) pipeline_set(p, "when=always");
}

static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  if (o->opt_level == 0) pipeline_add(p, "gnn-dce");
  pipeline_add(p, "gnn-split-total,gnn-separate-bind");
  if (!pipeline_is_on(p, FEATURE_hoist)) pipeline_set(p, "hoist=false");
  if (o->is_training) pipeline_add(p, "gnn-split-run");
  if (o->opt_level >= 1) pipeline_add(p, "gnn-cse");
  if (o->is_training && o->opt_level >= 2) pipeline_add(p, "gnn-recompute,gnn-dce");
  pipeline_add(p, "gnn-to-inter");
  if (o->opt_level >= 1) pipeline_add(p, "inter-canonicalize,gnn-cse");
  add_fusion(p, &o->features);
  add_sums(p, &o->features);
  if (o->opt_level >= 1) pipeline_add(p, "gnn-dce");
  if (end == PIPELINE_inter) return;
  pipeline_add(p, "inter-to-intra");
  if (o->features.given[FEATURE_bf16_rows] == FEATURE_WHEN_always) pipeline_add(p, "intra-narrow-rows");
  if (o->has_columns) pipeline_add(p, "intra-slice-columns");
  if (o->has_ranks) pipeline_add(p, "intra-distribute");
  pipeline_add(p, "intra-plan-memory");
}

static bool generate(MlirOperation module, const backend_source_options *o, diag *d, backend_source *out) {
  codegen_c_options options = {.header_name = o->header_name,
                               .is_f64 = o->is_f64,
                               .partial_sums = o->opt_level >= 2,
                               .reassociate = o->opt_level >= 3,
                               .sources = o->sources,
                               .source_count = o->source_count,
                               .model = o->model,
                               .compiler = o->compiler,
                               .options = o->options};
  codegen_c_output made = {{0}, {0}, {0}};
  bool good = codegen_c_emit(module, &options, d, &made);
  *out = (backend_source){made.source, made.header, made.manifest};
  return good;
}

const backend c_backend = {
    .name = "c", .summary = "portable C17", .has_typed_rows = true, .add_passes = add_passes, .generate = generate};
