/* Multiples of a row in its own sum as self loops. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_SELF_LOOPS_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_SELF_LOOPS_H

#include "codegen/graphagile/plan/plan.h"

/* Self loops instead of epilogues that add a multiple of what is summed up; not in the paper's
 * accounting. */
void graphagile_fuse_self_loops(graphagile_plan *p);

#endif
