/* The two halves of inter-fuse, and their options. */
#ifndef GNNC_PASSES_INTER_INTER_FUSE_H
#define GNNC_PASSES_INTER_INTER_FUSE_H

#include "passes/manager/pass.h"

typedef struct inter_fuse_options {
  int64_t recompute_limit; /* the most readers of an edge value that may each compute it */
  bool exchange;           /* edges() == nodes() x incoming(): loops over the edges of a node may be such readers */
} inter_fuse_options;

/* Computes cheap values where they are read, instead of storing them. */
void inter_fuse_inline(MlirBlock body, pass_context *p, const inter_fuse_options *options);
/* Merges loops over the same nodes or edges, unless a value is read at another element. */
void inter_fuse_merge_loops(MlirBlock body, pass_context *p);

#endif
