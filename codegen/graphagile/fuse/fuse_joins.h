/* Joins two sums into the same rows to one. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_JOINS_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_JOINS_H

#include "codegen/graphagile/plan/plan.h"

/* Joins each sum with the sum that is added to it, where that saves bytes; not in the paper's
 * accounting. */
void graphagile_fuse_joins(graphagile_plan *p);

#endif
