/* Operations of the device level that the overlay executes. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_READ_READ_LAYER_H
#define GNNC_CODEGEN_GRAPHAGILE_READ_READ_LAYER_H

#include "codegen/graphagile/plan/plan.h"

/* Adds the layer of an operation of the device level; does nothing for others. */
void graphagile_read_layer(graphagile_plan *p, MlirOperation op);

/* Adds a layer that copies the rows of `t` and returns the copy. Messages about the layer are
 * given at the place of `op` in the model. */
graphagile_plan_tensor *graphagile_read_copy(graphagile_plan *p, MlirOperation op, graphagile_plan_tensor *t);

#endif
