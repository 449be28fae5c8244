/* Chooses candidates: the default, and the default with one or two switches changed. Each is
 * compiled to C. A candidate with the same C as an earlier one is dropped; of the others those with
 * the least predicted cost of FLOPs and bytes stay. */
#include "tools/gnnc/gnnc_tune_candidates.h"

#include "passes/cost/gnn_cost_work.h"
#include "support/clock.h"
#include "tools/gnnc/gnnc_counts.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

/* A candidate whose predicted cost is more than this factor above the best is dropped. */
static const double near_enough = 4;
/* No further pair of changes is tried after this time. */
static const double patience_seconds = 30;

static const struct {
  feature which;
  feature_when when;
} flips[] = {
    {FEATURE_compact, FEATURE_WHEN_always},         {FEATURE_compact, FEATURE_WHEN_never},
    {FEATURE_aggregate_first, FEATURE_WHEN_always}, {FEATURE_aggregate_first, FEATURE_WHEN_never},
    {FEATURE_fuse_linear, FEATURE_WHEN_always},     {FEATURE_fuse_linear, FEATURE_WHEN_never},
    {FEATURE_fuse_softmax, FEATURE_WHEN_never},     {FEATURE_sparse_features, FEATURE_WHEN_always},
    {FEATURE_sparse_features, FEATURE_WHEN_never},  {FEATURE_order, FEATURE_WHEN_never},
    {FEATURE_exchange_loops, FEATURE_WHEN_never},
};
enum { FLIPS = sizeof flips / sizeof *flips };

typedef struct collector {
  gnnc_driver *driver;
  gnnc_candidates all;
  VEC(uint64_t) seen; /* hashes of C */
} collector;

static double value_of(const intra_counts *counts, const gnnc_counts_graph *g, bool is_bytes) {
  double total = 0;
  for (size_t i = 0; i < counts->kernels.count; i++) {
    const intra_kernel *k = &counts->kernels.items[i];
    if (strcmp(k->phase, "run") != 0) continue;
    int64_t x = gnnc_counts_value(counts, g, is_bytes ? &k->read : &k->products);
    int64_t y = gnnc_counts_value(counts, g, is_bytes ? &k->written : &k->others);
    if (x < 0 || y < 0) return -1;
    total += (double)x + (double)y;
  }
  return total;
}

/* Predicts the FLOPs and bytes of a run, and one cost for comparisons. */
static void predict(gnnc_driver *r, MlirModule module, gnnc_candidate *c) {
  gnnc_counts_graph facts = {r->files.graph, r->files.statistics};
  intra_counts counts;
  intra_counts_collect(mlirModuleGetOperation(module), r->arena, r->options.is_f64, &counts);
  c->measured.flops = value_of(&counts, &facts, false);
  c->measured.bytes = value_of(&counts, &facts, true);
  bool is_known = c->measured.flops >= 0 && c->measured.bytes >= 0;
  c->predicted = is_known ? gnn_work_weight((gnn_work){c->measured.flops, c->measured.bytes}) : HUGE_VAL;
}

/* Whether no earlier candidate has the same C. */
static bool is_new(collector *c, const text *made) {
  uint64_t hash = XXH3_64bits(text_str(made), made->size);
  for (size_t i = 0; i < c->seen.count; i++)
    if (c->seen.items[i] == hash) return false;
  VEC_PUSH(c->driver->arena, &c->seen, hash);
  return true;
}

static bool compile_candidate(collector *c, const feature_set *choices) {
  gnnc_driver *r = c->driver;
  MlirModule module = gnnc_driver_emit(r);
  if (mlirModuleIsNull(module)) return false;
  backend_source output = {{0}, {0}, {0}};
  bool good = gnnc_driver_run_passes(r, module, choices, GNNC_EMIT_target) &&
              gnnc_driver_generate(r, module, "model.h", &output);
  if (good && is_new(c, &output.source)) {
    gnnc_candidate made = {.measured = {.choices = *choices},
                           .source = arena_strdup(r->arena, text_str(&output.source)),
                           .header = arena_strdup(r->arena, text_str(&output.header))};
    predict(r, module, &made);
    VEC_PUSH(r->arena, &c->all, made);
  }
  backend_source_free(&output);
  mlirModuleDestroy(module);
  return good;
}

/* Changes one switch; false where the command line has set it, or where it can make no difference. */
static bool flip(const collector *c, feature_set *choices, int which) {
  const feature_set *given = &c->driver->options.code.features;
  feature f = flips[which].which;
  if (f == FEATURE_sparse_features && c->driver->files.statistics.feature_density < 0) return false;
  if (given->given[f] != FEATURE_WHEN_default || choices->given[f] != FEATURE_WHEN_default) return false;
  choices->given[f] = flips[which].when;
  return true;
}

/* Compiles all candidates with one or two changed switches; false after an error was reported. */
static bool compile_all(collector *c) {
  const feature_set *given = &c->driver->options.code.features;
  double start = clock_seconds();
  if (!compile_candidate(c, given)) return false;
  for (int i = 0; i < FLIPS; i++) {
    feature_set one = *given;
    if (flip(c, &one, i) && !compile_candidate(c, &one)) return false;
  }
  for (int i = 0; i < FLIPS; i++)
    for (int k = i + 1; k < FLIPS && clock_seconds() - start < patience_seconds; k++) {
      feature_set two = *given;
      if (flip(c, &two, i) && flip(c, &two, k) && !compile_candidate(c, &two)) return false;
    }
  return true;
}

bool gnnc_tune_collect(gnnc_driver *r, gnnc_candidates *out) {
  collector c = {.driver = r};
  if (!compile_all(&c)) return false;
  double best = c.all.items[0].predicted;
  for (size_t i = 1; i < c.all.count; i++) best = c.all.items[i].predicted < best ? c.all.items[i].predicted : best;
  VEC_PUSH(r->arena, out, c.all.items[0]);
  c.all.items[0].source = NULL;
  while (out->count < GNNC_TUNE_CANDIDATES) {
    gnnc_candidate *next = NULL;
    for (size_t i = 1; i < c.all.count; i++)
      if (c.all.items[i].source && (!next || c.all.items[i].predicted < next->predicted)) next = &c.all.items[i];
    if (!next || next->predicted > near_enough * best) break;
    VEC_PUSH(r->arena, out, *next);
    next->source = NULL;
  }
  return true;
}
