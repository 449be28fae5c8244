/* Pipelines of targets at all -O levels, and the passes that switches add or remove. */
#include "codegen/backend.h"
#include "unit.h"

static const char *text_of(arena *a, const char *target, int opt_level, const char *const *switches, pipeline_end end) {
  backend_options o = {.target = backend_find(target), .opt_level = opt_level};
  if (o.target->machine) device_default(&o.device, o.target->machine);
  for (; switches && *switches; switches++) CHECK(feature_take(&o.features, *switches, NULL));
  return pipeline_text(a, &o, end);
}

#define SWITCHES(...)                                                                                                  \
  (const char *const[]) {                                                                                              \
    __VA_ARGS__, NULL                                                                                                  \
  }

TEST(o0_only_lowers) {
  arena *a = arena_create();
  CHECK_STR(text_of(a, "c", 0, NULL, PIPELINE_gnn), "gnn-infer-shapes,gnn-find-ranges");
  CHECK_STR(text_of(a, "c", 0, NULL, PIPELINE_inter),
            "gnn-infer-shapes,gnn-find-ranges,gnn-dce,gnn-split-total,gnn-separate-bind,gnn-to-inter");
  CHECK_STR(text_of(a, "c", 0, NULL, PIPELINE_all), "gnn-infer-shapes,gnn-find-ranges,gnn-dce,gnn-split-total,gnn-"
                                                    "separate-bind,gnn-to-inter,inter-to-intra,intra-plan-memory");
  CHECK_STR(text_of(a, "host", 0, NULL, PIPELINE_all),
            "gnn-infer-shapes,gnn-find-ranges,gnn-dce,gnn-to-device{width=1}");
  CHECK_STR(text_of(a, "graphagile", 0, NULL, PIPELINE_all),
            "gnn-infer-shapes,gnn-find-ranges,gnn-dce,gnn-to-device{width=16}");
  arena_destroy(a);
}

TEST(o1_folds_and_does_not_reorder) {
  arena *a = arena_create();
  CHECK_STR(
      text_of(a, "host", 1, NULL, PIPELINE_all),
      "gnn-infer-shapes,gnn-find-ranges,gnn-canonicalize,gnn-cse,gnn-fold-batch-norm,gnn-canonicalize,gnn-cse,gnn-dce,"
      "gnn-to-device{width=1}");
  arena_destroy(a);
}

TEST(weights_of_machines_are_bound_before) {
  arena *a = arena_create();
  CHECK_HAS(text_of(a, "host", 2, NULL, PIPELINE_all), "gnn-fuse-linear{inputs=false},");
  CHECK_HAS(text_of(a, "c", 2, NULL, PIPELINE_all), "gnn-fuse-linear,");
  arena_destroy(a);
}

TEST(switches_add_passes_and_take_them_away) {
  arena *a = arena_create();
  CHECK_STR(text_of(a, "c", 0, SWITCHES("compact"), PIPELINE_gnn),
            "gnn-infer-shapes,gnn-find-ranges,gnn-compact{when=always}");
  const char *off = text_of(a, "host", 2, SWITCHES("no-order", "no-compact", "no-fuse-activation"), PIPELINE_all);
  CHECK(!strstr(off, "gnn-order"));
  CHECK_HAS(off, "gnn-compact{when=never}");
  CHECK_HAS(off, "gnn-fuse-linear{compact=false inputs=false}"); /* fuse-linear does not count savings of compaction */
  CHECK_HAS(off, "gnn-to-device{width=1 fuse=false}");
  CHECK_HAS(text_of(a, "c", 2, SWITCHES("no-split-attention"), PIPELINE_gnn), "gnn-canonicalize{split=false}");
  CHECK_HAS(text_of(a, "c", 2, SWITCHES("no-sparse-features"), PIPELINE_gnn), "gnn-order{features=dense}");
  arena_destroy(a);
}

TEST(a_preset_keeps_each_product_a_layer) {
  arena *a = arena_create();
  backend_options o = {.target = backend_find("graphagile"), .opt_level = 2};
  device_default(&o.device, o.target->machine);
  o.device.graphagile.width = 4;
  o.preset = backend_find_preset(o.target, "paper");
  CHECK_HAS(pipeline_text(a, &o, PIPELINE_all), "gnn-to-device{width=4 merge=false}");
  arena_destroy(a);
}
