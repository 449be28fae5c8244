/* What a rank cannot compute, for intra-distribute. */
#ifndef GNNC_PASSES_INTRA_INTRA_DISTRIBUTE_H
#define GNNC_PASSES_INTRA_INTRA_DISTRIBUTE_H

#include "passes/manager/pass.h"

/* Whether a cursor is at the source of an edge, which may be a ghost. */
bool intra_is_at_source(MlirValue cursor);

/* Whether all kernels and calls of a function can be computed from own nodes, the edges into them and rows of ghosts.
 * False after a message at the line of the model. *reads_graphs becomes true where it reads all nodes of a graph of a
 * batch at once: then each graph must be of one rank. */
bool intra_check_ranks(pass_context *p, MlirBlock body, bool *reads_graphs);

#endif
