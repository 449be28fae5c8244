/* Operations of the device level that the host executes, as layers of a plan: opaque to every
 * fusion, but they read tensors and make them. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_READ_READ_HOST_H
#define GNNC_CODEGEN_GRAPHAGILE_READ_READ_HOST_H

#include "codegen/graphagile/plan/plan.h"

void graphagile_read_host(graphagile_plan *p, MlirOperation op);

/* Whether a value of rows or values is made by a layer of the device, so that it has to move to the
 * host. */
bool graphagile_read_is_made(MlirValue value);

#endif
