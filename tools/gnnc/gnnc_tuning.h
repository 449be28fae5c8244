/* The JSON that --tune writes and --tuning reads: the fastest switches for one model on one graph.
 *
 *   {"format": "gnnc-tuning", "version": 1, "model": {"name": "rgat", "hash": "91c0..."}, "graph": {"fingerprint": "5ab1...", "nodes": 7262,
 *    "edges": 48810}, "optimize": 2, "float": "f32", "threads": 1, "choices": {"compact": "always"}, "measured": [...]} */
#ifndef GNNC_TOOLS_GNNC_GNNC_TUNING_H
#define GNNC_TOOLS_GNNC_GNNC_TUNING_H

#include "codegen/feature.h"
#include "data/graph.h"
#include "dialects/ir.h"
#include "support/diag.h"

/* The model, graph and options for which a tuning was measured. */
typedef struct gnnc_tuning_key {
  const char *model;    /* its name */
  uint64_t model_hash;  /* of its module before any pass */
  uint64_t graph;       /* fingerprint; 0 when no graph is known */
  int64_t nodes, edges; /* of the graph */
  int opt_level;
  bool is_f64;
} gnnc_tuning_key;

/* One candidate and the time of its runs. */
typedef struct gnnc_measurement {
  feature_set choices;
  double median_seconds;
  double ratio;        /* median over rounds of the ratio to the first candidate's time */
  double flops, bytes; /* of a run, as in --emit=counts; -1 = unknown */
} gnnc_measurement;

/* Returns the key of a module of the gnn level before any pass. */
gnnc_tuning_key gnnc_tuning_make_key(MlirModule module, const graph *g, int opt_level, bool is_f64);

/* Writes the choices of measurement `winner`. */
status gnnc_tuning_write(const char *path, const gnnc_tuning_key *key, int threads, const gnnc_measurement *measured,
                         size_t count, size_t winner);

/* Reads a tuning into those switches of `features` that the command line leaves open. A file that
 * is no tuning, or one of a model of another name, is an error. A tuning of another version of the
 * model or of another graph gives a warning and is ignored. False after an error. */
bool gnnc_tuning_apply(arena *a, const char *path, const gnnc_tuning_key *key, diag *d, feature_set *features);

/* Describes switches, in the arena: "compact=always fuse-linear=never", or "as the costs say" when
 * none is set. */
const char *gnnc_tuning_describe(arena *a, const feature_set *choices);

#endif
