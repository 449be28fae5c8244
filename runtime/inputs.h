/* Tensors of files in the form a model's tables ask for. */
#ifndef GNNC_RUNTIME_INPUTS_H
#define GNNC_RUNTIME_INPUTS_H

#include "data/graph.h"
#include "data/tensor.h"
#include "runtime/gnnc/abi.h"

/* What a session reads from. */
typedef struct inputs_source {
  const graph *graph;
  const tensor_set *weights; /* NULL = none given */
  const char *weights_path;
} inputs_source;

/* Rows a tensor of the model has for this graph; 1 for GNNC_ROWS_ONE. */
int64_t inputs_rows(const gnnc_tensor_info *info, const graph *g);

/* Finds, checks and converts one input or weight; *out is a float array, or a gnnc_csr where the
 * model wants one, in the arena or the file. */
status inputs_read(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const void **out);

#endif
