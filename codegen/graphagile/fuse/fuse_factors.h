/* Replaces weights of edges by factors of rows. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_FACTORS_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_FACTORS_H

#include "codegen/graphagile/plan/plan.h"

/* Does so for each edge list where that saves bytes and the device has packed edges; not in the
 * paper's accounting. */
void graphagile_fuse_factors(graphagile_plan *p);

#endif
