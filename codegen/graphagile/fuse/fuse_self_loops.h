/* Replaces the addition of a row to its own sum by self loops. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_SELF_LOOPS_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_SELF_LOOPS_H

#include "codegen/graphagile/plan/plan.h"

/* Does so for each Aggregate whose first epilogue adds a multiple of the summed rows, where that
 * saves bytes; not in the paper's accounting. */
void graphagile_fuse_self_loops(graphagile_plan *p);

#endif
