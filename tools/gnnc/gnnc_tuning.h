/* The small JSON that --tune writes and --tuning reads: which switches were fastest for one model
 * on one graph.
 *
 *   {"format": "gnnc-tuning", "version": 1, "model": {"name": "rgat", "hash": "91c0..."}, "graph": {"fingerprint": "5ab1...", "nodes": 7262,
 *    "edges": 48810}, "optimize": 2, "float": "f32", "threads": 1, "choices": {"compact": "always"}, "measured": [...]} */
#ifndef GNNC_TOOLS_GNNC_GNNC_TUNING_H
#define GNNC_TOOLS_GNNC_GNNC_TUNING_H

#include "codegen/feature.h"
#include "data/graph.h"
#include "dialects/ir.h"
#include "support/diag.h"

/* What a tuning was measured for. */
typedef struct gnnc_tuning_key {
  const char *model;    /* its name */
  uint64_t model_hash;  /* of its module before any pass */
  uint64_t graph;       /* fingerprint; 0 when no graph is known */
  int64_t nodes, edges; /* of the graph */
  int opt_level;
  bool is_f64;
} gnnc_tuning_key;

/* One candidate and how long a run of it took. */
typedef struct gnnc_measurement {
  feature_set choices;
  double median_seconds;
  double ratio;        /* median over rounds of the time in proportion to the first candidate's */
  double flops, bytes; /* of a run, as --emit=counts has them; -1 = unknown */
} gnnc_measurement;

/* The key of a module of the gnn level that no pass has seen. */
gnnc_tuning_key gnnc_tuning_make_key(MlirModule module, const graph *g, int opt_level, bool is_f64);

/* Writes the choices of measurement `winner`. */
status gnnc_tuning_write(const char *path, const gnnc_tuning_key *key, int threads, const gnnc_measurement *measured,
                         size_t count, size_t winner);

/* Reads a tuning into `features` where the command line gave nothing. A file that is none, or one
 * of a model of another name, is an error; one of another version of the model or another graph is
 * reported and left alone. False after an error. */
bool gnnc_tuning_apply(arena *a, const char *path, const gnnc_tuning_key *key, diag *d, feature_set *features);

/* "compact=always fuse-linear=never", "as the costs say" when nothing is chosen; in the arena. */
const char *gnnc_tuning_describe(arena *a, const feature_set *choices);

#endif
