/* The passes of each -O level (decision: -O0 is the reference and changes nothing; -O1 folds; -O2 reorders and fuses; -O3 adds nothing
 * here, it lets the C back end reassociate sums). */
#include "tools/gnnc_pipeline.h"

#include "support/text.h"

#include <string.h>

/* One level of IR at one -O level: what runs to finish it. */
typedef struct stage {
  const char *passes[3]; /* for -O0, -O1, -O2 and above; NULL = the one to the left */
} stage;

/* Up to --emit=gnn. */
static const stage gnn_stage = {{
    "gnn-infer-shapes",
    "gnn-infer-shapes,gnn-canonicalize,gnn-cse,gnn-fold-batch-norm,gnn-canonicalize,gnn-cse,gnn-dce",
    "gnn-infer-shapes,gnn-canonicalize,gnn-cse,gnn-fold-batch-norm,gnn-canonicalize,gnn-order,gnn-canonicalize,gnn-cse,"
    "gnn-dce,"
    "gnn-fuse-activation,gnn-dce",
}};
/* From there up to --emit=inter. */
static const stage inter_stage = {{
    "gnn-dce,gnn-separate-bind,gnn-to-inter",
    "gnn-separate-bind,gnn-cse,gnn-to-inter,inter-canonicalize,gnn-dce",
    "gnn-separate-bind,gnn-cse,gnn-to-inter,inter-canonicalize,gnn-cse,inter-fuse,inter-canonicalize,gnn-cse,gnn-dce",
}};
/* From there up to --emit=intra and code. */
static const stage intra_stage = {{"inter-to-intra,intra-plan-memory", NULL, NULL}};

static const char *stage_passes(const stage *s, int opt_level) {
  int column = opt_level > 2 ? 2 : opt_level;
  while (!s->passes[column]) column--;
  return s->passes[column];
}

const char *gnnc_pipeline_text(arena *a, int opt_level, const char *features, gnnc_emit emit) {
  const char *choose = "";
  if (strcmp(features, "dense") && (opt_level >= 2 || !strcmp(features, "sparse")))
    choose = arena_printf(a, ",gnn-choose-features{features=%s}", features);
  const char *passes = arena_printf(a, "%s%s", stage_passes(&gnn_stage, opt_level), choose);
  if (emit == GNNC_EMIT_gnn) return passes;
  passes = arena_printf(a, "%s,%s", passes, stage_passes(&inter_stage, opt_level));
  if (emit == GNNC_EMIT_inter) return passes;
  return arena_printf(a, "%s,%s", passes, stage_passes(&intra_stage, opt_level));
}
