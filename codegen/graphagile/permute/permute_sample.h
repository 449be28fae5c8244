/* Some edges of a list, by which orders of its rows are compared. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_SAMPLE_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_SAMPLE_H

#include "codegen/device/host/host.h"
#include "support/arena.h"

/* Returns a list of at most `most` edges of a list without self loops: every edge, or every second one, or every
 * third one, and so on. It shares the arrays of a list that is small enough. */
program_edge_list graphagile_permute_sample(arena *a, const program_edge_list *list, int64_t most);

#endif
