/* Chooses the order in which device memory has the rows of nodes, from the edges of the graph. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_H

#include "codegen/graphagile/plan/plan.h"

/* Sets p->permutations, after shapes and tiles were chosen and before edge lists are partitioned.
 * The user's order stays everywhere outside of device memory. Returns false where the plan has
 * failed. */
bool graphagile_permute_rows(graphagile_plan *p);

#endif
