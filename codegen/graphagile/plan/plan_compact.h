/* Which tensors have 4 bytes per row in DDR. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_COMPACT_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_COMPACT_H

#include "codegen/graphagile/plan/plan.h"

/* With options->compact, stores constant and hidden rows of one column as one number. Loads repeat
 * it in all columns of a fiber. To be called when all tensors are known. */
void graphagile_plan_compact(graphagile_plan *p);

#endif
