/* The passes of each -O level, with those that switches add or remove. -O0 is the reference and
 * optimises nothing; -O1 folds; -O2 reorders, fuses and compacts; -O3 adds no pass, it lets the C
 * back end reassociate sums.
 *
 *   -O2 -fno-order    =>    gnn-infer-shapes,gnn-canonicalize,...     without gnn-order */
#include "codegen/pipeline.h"

#include "codegen/backend.h"

#include <stdarg.h>
#include <string.h>

struct pipeline_draft {
  arena *arena;
  const backend_options *options;
  const feature_set *features;
  int opt_level;
  bool is_training;    /* the program computes gradients, too */
  bool is_bound_early; /* the program is made for one graph and its weights, as those of machines are */
  text text;
};

void pipeline_add(pipeline_draft *p, const char *passes) {
  if (p->text.size) text_append(&p->text, ",");
  text_append(&p->text, passes);
}

void pipeline_set(pipeline_draft *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_append(&p->text, "{");
  text_vprintf(&p->text, format, args);
  text_append(&p->text, "}");
  va_end(args);
}

/* Whether a switch that was not given is off: of pairs, the derivatives go through edges in an order that ranks do not share. */
static bool is_off_for_ranks(const pipeline_draft *p, feature f) {
  return p->options->has_ranks && p->is_training && (f == FEATURE_compact || f == FEATURE_aggregate_first) &&
         p->features->given[f] == FEATURE_WHEN_default;
}

static feature_when when_of(const pipeline_draft *p, feature f) {
  if (is_off_for_ranks(p, f)) return FEATURE_WHEN_never;
  return feature_when_of(p->features, f, p->opt_level);
}

bool pipeline_is_on(const pipeline_draft *p, feature f) {
  return when_of(p, f) != FEATURE_WHEN_never;
}

/* The form of the features as an option of gnn-order and gnn-choose-features: each pass must know
 * what the other may still do. */
static const char *form_of(const pipeline_draft *p) {
  switch (p->features->given[FEATURE_sparse_features]) {
  case FEATURE_WHEN_never: return "dense";
  case FEATURE_WHEN_always: return "sparse";
  default: return "auto";
  }
}

/* Whether the target has costs of its own for what a switch does. */
static bool has_cost(const pipeline_draft *p, feature f) {
  return f == FEATURE_merge_relations && p->options->target->relation_cost;
}

/* Adds the pass of a switch. A pass that was switched off by hand still runs, with when=never, to
 * report what it would have gained. What compaction would save counts only where it follows. */
static void add_choice(pipeline_draft *p, feature f) {
  feature_when when = when_of(p, f);
  if (when == FEATURE_WHEN_never && p->features->given[f] == FEATURE_WHEN_default) return;
  bool is_alone = f != FEATURE_compact && !pipeline_is_on(p, FEATURE_compact);
  pipeline_add(p, feature_get(f)->pass);
  bool is_in_advance =
      f == FEATURE_fuse_linear && p->is_bound_early; /* the host multiplies weights; the device multiplies only rows */
  const char *choice = when == FEATURE_WHEN_automatic ? ""
                       : when == FEATURE_WHEN_always  ? "when=always "
                                                      : "when=never ";
  bool has_form = f == FEATURE_merge_relations && strcmp(form_of(p), "auto") != 0;
  const char *rows = is_alone ? "compact=false " : "", *inputs = is_in_advance ? "inputs=false " : "";
  const char *form = has_form ? arena_printf(p->arena, "features=%s ", form_of(p)) : "";
  const char *cost = has_cost(p, f) && when != FEATURE_WHEN_always
                         ? arena_printf(p->arena, "%s ", p->options->target->relation_cost(p->options, p->arena))
                         : "";
  const char *options = arena_printf(p->arena, "%s%s%s%s%s", choice, rows, inputs, form, cost);
  if (*options) text_printf(&p->text, "{%.*s}", (int)strlen(options) - 1, options);
}

/* Adds the canonical forms, from -O1 on. */
static void add_canonicalize(pipeline_draft *p) {
  pipeline_add(p, "gnn-canonicalize");
  if (p->features->given[FEATURE_split_attention] == FEATURE_WHEN_never) text_append(&p->text, "{split=false}");
}

static void add_features(pipeline_draft *p) {
  if (!pipeline_is_on(p, FEATURE_sparse_features)) return;
  pipeline_add(p, "gnn-choose-features");
  text_printf(&p->text, "{features=%s%s}", form_of(p), p->options->target->has_typed_rows ? " typed=true" : "");
}

/* Adds the pass that merges relations, which looks at values with one use: unused operations go first. */
static void add_merging(pipeline_draft *p) {
  bool is_reporting = p->features->given[FEATURE_merge_relations] == FEATURE_WHEN_never;
  if (pipeline_is_on(p, FEATURE_merge_relations) || is_reporting) pipeline_add(p, "gnn-dce");
  add_choice(p, FEATURE_merge_relations);
}

/* Adds the pass that makes gradients. The passes before it saw the model alone. */
static void add_differentiation(pipeline_draft *p) {
  pipeline_add(p, "gnn-differentiate");
  if (p->opt_level < 1) return;
  add_canonicalize(p);
  pipeline_add(p, "gnn-cse,gnn-dce");
}

/* Adds the passes of the gnn level. */
static void add_gnn_passes(pipeline_draft *p) {
  pipeline_add(p,
               p->is_training ? "gnn-infer-shapes,gnn-train-mode,gnn-find-ranges" : "gnn-infer-shapes,gnn-find-ranges");
  if (p->opt_level >= 1) {
    add_canonicalize(p);
    pipeline_add(p, "gnn-cse");
  }
  if (!p->is_training) add_merging(p);
  if (p->opt_level >= 1) {
    if (!p->is_training) pipeline_add(p, "gnn-fold-batch-norm");
    add_canonicalize(p);
  }
  if (pipeline_is_on(p, FEATURE_order)) {
    pipeline_add(p, "gnn-order");
    text_printf(&p->text, "{features=%s}", form_of(p));
  }
  if (pipeline_is_on(p, FEATURE_order) && p->opt_level >= 1) add_canonicalize(p);
  size_t before = p->text.size;
  add_choice(p, FEATURE_fuse_linear);
  add_choice(p, FEATURE_aggregate_first);
  add_choice(p, FEATURE_compact);
  if (p->text.size > before && p->opt_level >= 1) add_canonicalize(p);
  if (p->opt_level >= 1) pipeline_add(p, "gnn-cse,gnn-dce");
  if (p->is_training) add_differentiation(p);
  if (pipeline_is_on(p, FEATURE_fuse_activation)) pipeline_add(p, "gnn-fuse-activation,gnn-dce");
  add_features(p);
}

void pipeline_add_device(pipeline_draft *p, int width, bool has_merging) {
  if (p->opt_level == 0) pipeline_add(p, "gnn-dce");
  pipeline_add(p, "gnn-to-device");
  bool is_fusing = feature_is_allowed(p->features, FEATURE_fuse_activation);
  pipeline_set(p, "width=%d%s%s", width, has_merging ? "" : " merge=false", is_fusing ? "" : " fuse=false");
}

const char *pipeline_text(arena *a, const backend_options *o, pipeline_end end) {
  pipeline_draft p = {.arena = a,
                      .options = o,
                      .features = &o->features,
                      .opt_level = o->opt_level,
                      .is_training = o->is_training,
                      .is_bound_early = o->target->machine};
  add_gnn_passes(&p);
  if (end != PIPELINE_gnn) o->target->add_passes(&p, o, end);
  return text_keep(&p.text, a);
}
