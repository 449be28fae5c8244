/* The order and the shapes of the backward pass; see the source. */
#ifndef GNNC_PASSES_GNN_TRAIN_GNN_RECOMPUTE_ORDER_H
#define GNNC_PASSES_GNN_TRAIN_GNN_RECOMPUTE_ORDER_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

typedef VEC(MlirOperation) gnn_recompute_ops;

/* Whether a value has a row per node or edge. */
bool gnn_recompute_is_of_rows(MlirValue value);

/* The operations of the backward pass in their order: those that are not in `forward`. */
gnn_recompute_ops gnn_recompute_backward(pass_context *p, MlirOperation func, const map *forward);

/* Changes order and shapes of the backward pass of a function of gradients. */
void gnn_recompute_order(pass_context *p, MlirOperation func, const map *forward);

#endif
