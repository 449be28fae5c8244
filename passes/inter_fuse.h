/* The two halves of inter-fuse. */
#ifndef GNNC_PASSES_INTER_FUSE_H
#define GNNC_PASSES_INTER_FUSE_H

#include "passes/pass.h"

/* edges() == nodes() x incoming(): computes cheap values where they are read instead of storing them. */
void inter_fuse_inline(MlirBlock body, pass_context *p, int64_t recompute_limit);
/* Merges loops over the same nodes or edges unless a value crosses them at another element. */
void inter_fuse_merge_loops(MlirBlock body, pass_context *p);

#endif
