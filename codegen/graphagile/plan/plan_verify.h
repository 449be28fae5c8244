/* A check of the compiler's own work. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_VERIFY_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_VERIFY_H

#include "codegen/graphagile/plan/plan.h"

/* After graphagile_layout_assign: checks that every layer reads only parts of tensors that
 * earlier layers wrote, that windows lie in their tensors, and that no two tensors that are
 * needed at the same time share memory. Returns false after an internal error message; then the
 * plan must not be emitted. */
bool graphagile_plan_verify(graphagile_plan *p);

#endif
