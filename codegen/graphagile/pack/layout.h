/* Addresses of everything in the device's memory. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_LAYOUT_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_LAYOUT_H

#include "codegen/graphagile/plan/plan.h"

/* Sets the addresses of sections, tensors, constants, edge lists and their descriptors. Section
 * .text comes last; its size is not known yet. Tensors that no layer needs at the same time share
 * memory. */
void graphagile_layout_assign(graphagile_plan *p);

/* Gives a message and returns false where the sections so far do not fit the device's memory. */
bool graphagile_layout_check(graphagile_plan *p);

#endif
