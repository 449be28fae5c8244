/* Adjoint of a softmax over the edges at a node. */
#ifndef GNNC_PASSES_GNN_TRAIN_GNN_ADJOINT_SOFTMAX_H
#define GNNC_PASSES_GNN_TRAIN_GNN_ADJOINT_SOFTMAX_H

#include "passes/gnn/train/gnn_adjoint.h"

/* The logits l of an edge softmax, where the quotient `op` is its last operation, exp(l - max) / sum; null elsewhere. */
MlirValue gnn_adjoint_softmax_logits(MlirOperation op);
/* Adds the adjoint of the logits of an edge softmax. */
void gnn_adjoint_add_softmax(gnn_adjoint_op *o, MlirValue logits);

#endif
