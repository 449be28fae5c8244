/* Where everything lies in the device's memory. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_LAYOUT_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_LAYOUT_H

#include "codegen/graphagile/plan/plan.h"

/* Addresses of sections, tensors, constants, edge lists and their descriptors; .text comes last and
 * has no size yet. Tensors that no layer needs at the same time share memory. */
void graphagile_layout_assign(graphagile_plan *p);

/* A message where what is laid out so far does not fit the device's memory. */
bool graphagile_layout_check(graphagile_plan *p);

#endif
