/* Operations of the device level that the host executes become layers of kind `host`. No fusion
 * looks into them; their operands and result order them among the other layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_READ_READ_HOST_H
#define GNNC_CODEGEN_GRAPHAGILE_READ_READ_HOST_H

#include "codegen/graphagile/plan/plan.h"

/* Adds a layer for an operation with unit = "host". */
void graphagile_read_host(graphagile_plan *p, MlirOperation op);

/* Whether a device layer makes a value, so that it has to move to the host. */
bool graphagile_read_is_made(MlirValue value);

#endif
