/* Two sums into the same rows as one. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_JOINS_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_JOINS_H

#include "codegen/graphagile/plan/plan.h"

/* Begins sums with those that are added to them; not in the paper's accounting. */
void graphagile_fuse_joins(graphagile_plan *p);

#endif
