/* What the manifest of generated C says about its model: how to compile it again, and how far its
 * outputs reach in a graph. gnn-run --verify and --nodes read it. */
#ifndef GNNC_CODEGEN_MODEL_SOURCE_H
#define GNNC_CODEGEN_MODEL_SOURCE_H

#include "data/reach.h"

#include <stddef.h>

typedef struct model_dim {
  const char *name;
  int64_t value;
} model_dim;

/* factor * (number of `rows`), in the names of data/graph_rows.h. */
typedef struct model_term {
  const char *rows;
  int64_t factor;
} model_term;

/* The work of a kernel as sums of terms. */
typedef struct model_cost {
  const model_term *flops, *bytes;
  size_t num_flops, num_bytes;
} model_cost;

typedef struct model_source {
  const char *const *texts; /* the main file, which imports "import1.gnn" .., then these */
  size_t num_texts;
  const model_dim *dims; /* sizes that were given (gnnc --dim) */
  size_t num_dims;
  graph_reach reach;
  uint64_t fingerprint;    /* of the model, whatever options of the compiler are */
  const model_cost *costs; /* of the kernels of bind, then of run, in their order; NULL: unknown */
  size_t num_costs;
} model_source;

#endif
