/* The passes of each -O level (decision: -O0 is the reference and changes nothing; -O1 folds; -O2 reorders and fuses; -O3 adds nothing
 * here, it lets the C back end reassociate sums). */
#include "tools/gnnc_pipeline.h"

#include "support/text.h"

#include <string.h>

/* Up to --emit=gnn. The order of layers and the form of the features decide each other: both passes hear what was asked for. */
static const char *gnn_passes(arena *a, int opt_level, const char *features) {
  bool may_be_sparse = strcmp(features, "dense") != 0, must_be_sparse = !strcmp(features, "sparse");
  const char *choose = "";
  if (must_be_sparse || (opt_level >= 2 && may_be_sparse))
    choose = arena_printf(a, ",gnn-choose-features{features=%s}", features);
  if (opt_level == 0) return arena_printf(a, "gnn-infer-shapes%s", choose);
  const char *fold = "gnn-infer-shapes,gnn-canonicalize,gnn-cse,gnn-fold-batch-norm,gnn-canonicalize";
  if (opt_level == 1) return arena_printf(a, "%s,gnn-cse,gnn-dce%s", fold, choose);
  return arena_printf(a, "%s,gnn-order{features=%s},gnn-canonicalize,gnn-cse,gnn-dce,gnn-fuse-activation,gnn-dce%s",
                      fold, features, choose);
}

/* From there up to --emit=inter. */
static const char *inter_passes(int opt_level) {
  if (opt_level == 0) return "gnn-dce,gnn-separate-bind,gnn-to-inter";
  if (opt_level == 1) return "gnn-separate-bind,gnn-cse,gnn-to-inter,inter-canonicalize,gnn-dce";
  return "gnn-separate-bind,gnn-cse,gnn-to-inter,inter-canonicalize,gnn-cse,inter-fuse,inter-canonicalize,gnn-cse,gnn-"
         "dce";
}

const char *gnnc_pipeline_text(arena *a, int opt_level, const char *features, gnnc_emit emit) {
  const char *passes = gnn_passes(a, opt_level, features);
  if (emit == GNNC_EMIT_gnn) return passes;
  passes = arena_printf(a, "%s,%s", passes, inter_passes(opt_level));
  if (emit == GNNC_EMIT_inter) return passes;
  /* From there up to --emit=intra and code. */
  return arena_printf(a, "%s,inter-to-intra,intra-plan-memory", passes);
}
