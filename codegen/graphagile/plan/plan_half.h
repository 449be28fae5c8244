/* Which tensors have 2 bytes per number in DDR. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_HALF_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_HALF_H

#include "codegen/graphagile/plan/plan.h"

/* With options->half, stores rows as fp16. Values of edges and compact columns stay fp32. Results are not those of fp32
 * rows anyway, so plans may differ from those without compact columns: estimates count 4 bytes for a row of these. To be
 * called when all tensors are known. */
void graphagile_plan_halve(graphagile_plan *p);

#endif
