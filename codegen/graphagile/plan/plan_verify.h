/* Checks of the compiler on itself. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_VERIFY_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_VERIFY_H

#include "codegen/graphagile/plan/plan.h"

/* After graphagile_layout_assign: every layer reads only parts of tensors that layers before it
 * wrote, windows lie in their tensors, and no two tensors that are needed at the same time share
 * memory. False after a message (internal): the plan is not to be emitted. */
bool graphagile_plan_verify(graphagile_plan *p);

#endif
