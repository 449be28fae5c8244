/* The passes of each -O level (decision: -O0 is the reference and changes nothing; -O1 folds; -O2 reorders, fuses and compacts; -O3 adds nothing
 * here, it lets the C back end reassociate sums), and what switches add to them or take away.
 *
 *   -O2 -fno-order    =>    gnn-infer-shapes,gnn-canonicalize,...     without gnn-order */
#include "tools/gnnc/gnnc_pipeline.h"

#include "support/text.h"

#include <string.h>

typedef struct graphagile_plan {
  arena *arena;
  const gnnc_features *features;
  int opt_level;
  int device_width;
  bool is_image;
  bool is_paper; /* the paper has a layer for each product */
  text text;
} graphagile_plan;

static void add(graphagile_plan *p, const char *passes) {
  if (p->text.size) text_append(&p->text, ",");
  text_append(&p->text, passes);
}

static gnnc_when when_of(const graphagile_plan *p, gnnc_feature f) {
  return gnnc_features_when(p->features, f, p->opt_level);
}

static bool is_on(const graphagile_plan *p, gnnc_feature f) {
  return when_of(p, f) != GNNC_WHEN_never;
}

/* What gnn-order and gnn-choose-features hear: the order of layers and the form of the features decide each other. */
static const char *form_of(const graphagile_plan *p) {
  switch (p->features->given[GNNC_FEATURE_sparse_features]) {
  case GNNC_WHEN_never: return "dense";
  case GNNC_WHEN_always: return "sparse";
  default: return "auto";
  }
}

/* The pass of a switch that may say what it would have gained: one that was switched off by hand still looks. What compaction would
 * save counts only where it follows. */
static void add_choice(graphagile_plan *p, gnnc_feature f) {
  gnnc_when when = when_of(p, f);
  if (when == GNNC_WHEN_never && p->features->given[f] == GNNC_WHEN_default) return;
  bool is_alone = f != GNNC_FEATURE_compact && !is_on(p, GNNC_FEATURE_compact);
  add(p, gnnc_feature_get(f)->pass);
  bool is_in_advance =
      f == GNNC_FEATURE_fuse_linear && p->is_image; /* the host multiplies weights, the device only rows */
  const char *choice = when == GNNC_WHEN_automatic ? "" : when == GNNC_WHEN_always ? "when=always " : "when=never ";
  const char *rows = is_alone ? "compact=false " : "", *inputs = is_in_advance ? "inputs=false " : "";
  const char *options = arena_printf(p->arena, "%s%s%s", choice, rows, inputs);
  if (*options) text_printf(&p->text, "{%.*s}", (int)strlen(options) - 1, options);
}

/* From -O1 on. */
static void add_canonicalize(graphagile_plan *p) {
  add(p, "gnn-canonicalize");
  if (p->features->given[GNNC_FEATURE_split_attention] == GNNC_WHEN_never) text_append(&p->text, "{split=false}");
}

static void add_features(graphagile_plan *p) {
  if (!is_on(p, GNNC_FEATURE_sparse_features)) return;
  add(p, "gnn-choose-features");
  text_printf(&p->text, "{features=%s}", form_of(p));
}

/* Up to --emit=gnn. */
static void add_gnn_passes(graphagile_plan *p) {
  add(p, "gnn-infer-shapes");
  if (p->opt_level >= 1) {
    add_canonicalize(p);
    add(p, "gnn-cse,gnn-fold-batch-norm");
    add_canonicalize(p);
  }
  if (is_on(p, GNNC_FEATURE_order)) {
    add(p, "gnn-order");
    text_printf(&p->text, "{features=%s}", form_of(p));
  }
  if (is_on(p, GNNC_FEATURE_order) && p->opt_level >= 1) add_canonicalize(p);
  size_t before = p->text.size;
  add_choice(p, GNNC_FEATURE_fuse_linear);
  add_choice(p, GNNC_FEATURE_aggregate_first);
  add_choice(p, GNNC_FEATURE_compact);
  if (p->text.size > before && p->opt_level >= 1) add_canonicalize(p);
  if (p->opt_level >= 1) add(p, "gnn-cse,gnn-dce");
  if (is_on(p, GNNC_FEATURE_fuse_activation)) add(p, "gnn-fuse-activation,gnn-dce");
  add_features(p);
}

/* Layer Blocks of the overlay branch off here. */
static void add_device_passes(graphagile_plan *p) {
  if (p->opt_level == 0) add(p, "gnn-dce");
  add(p, "gnn-to-device");
  bool is_fusing = p->features->given[GNNC_FEATURE_fuse_activation] != GNNC_WHEN_never;
  text_printf(&p->text, "{width=%d%s%s}", p->device_width, p->is_paper ? " merge=false" : "",
              is_fusing ? "" : " fuse=false");
}

static void add_exchange(graphagile_plan *p, const char *pass) {
  add(p, pass);
  if (!is_on(p, GNNC_FEATURE_exchange_loops)) text_append(&p->text, "{exchange=false}");
}

/* Merging loops; the exchange edges() == nodes() x incoming() is a part of it that can be left out. */
static void add_fusion(graphagile_plan *p) {
  if (is_on(p, GNNC_FEATURE_fuse_loops)) {
    add_exchange(p, "inter-fuse");
    add(p, "inter-canonicalize,gnn-cse");
  }
  if (is_on(p, GNNC_FEATURE_fuse_softmax)) {
    add_exchange(p, "inter-fuse-softmax");
    add(p, "inter-canonicalize,gnn-cse");
  } else if (p->features->given[GNNC_FEATURE_fuse_softmax] == GNNC_WHEN_never && is_on(p, GNNC_FEATURE_fuse_loops)) {
    add(p, "inter-fuse-softmax{when=never}"); /* it still says what it would have gained */
  }
}

/* From there up to --emit=inter. */
static void add_inter_passes(graphagile_plan *p) {
  if (p->opt_level == 0) add(p, "gnn-dce");
  add(p, "gnn-separate-bind");
  if (!is_on(p, GNNC_FEATURE_hoist)) text_append(&p->text, "{hoist=false}");
  if (p->opt_level >= 1) add(p, "gnn-cse");
  add(p, "gnn-to-inter");
  if (p->opt_level >= 1) add(p, "inter-canonicalize,gnn-cse");
  add_fusion(p);
  if (p->opt_level >= 1) add(p, "gnn-dce");
}

const char *gnnc_pipeline_text(arena *a, const gnnc_options *o, const gnnc_features *features, gnnc_emit emit) {
  graphagile_plan p = {.arena = a,
                       .features = features,
                       .is_image = emit >= GNNC_EMIT_device,
                       .opt_level = o->opt_level,
                       .device_width = o->image.device.graphagile.width,
                       .is_paper = o->image.is_paper};
  add_gnn_passes(&p);
  if (emit >= GNNC_EMIT_device) {
    add_device_passes(&p);
  } else if (emit != GNNC_EMIT_gnn) {
    add_inter_passes(&p);
    /* From there up to --emit=intra and code. */
    if (emit != GNNC_EMIT_inter) add(&p, "inter-to-intra,intra-plan-memory");
  }
  return text_keep(&p.text, a);
}
