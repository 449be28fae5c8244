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

typedef struct model_source {
  const char *const *texts; /* the main file, which imports "import1.gnn" .., then these */
  size_t num_texts;
  const model_dim *dims; /* sizes that were given (gnnc --dim) */
  size_t num_dims;
  graph_reach reach;
} model_source;

#endif
