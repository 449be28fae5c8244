/* Local improvements of one loop and its body, from which the passes of the inter level choose.
 * Each adds its changes to p->changed. */
#ifndef GNNC_PASSES_INTER_INTER_SIMPLIFY_H
#define GNNC_PASSES_INTER_INTER_SIMPLIFY_H

#include "passes/manager/pass.h"

/* Removes unused results. Returns true when the loop had no other results and was erased. */
bool inter_prune_results(pass_context *p, MlirOperation loop);
/* Erases unused operations of a body, and unused results of its inner loops. */
void inter_erase_dead(pass_context *p, MlirBlock body);
/* Inside of loops over the incoming edges of n, replaces dst(e) by n; over the outgoing edges,
 * src(e) by n; over the edges of a pair, group(e) by the pair. */
void inter_fold_ends(pass_context *p, MlirBlock body);
/* Moves operations that do not depend on the inner cursor out of inner loops. */
void inter_hoist(pass_context *p, MlirBlock body);
/* Merges inner loops over the same edges or entries, if neither needs the other's results. */
void inter_merge_inner(pass_context *p, MlirBlock body);
/* Merges equal operations of a body; operations of inner loops also with equal ones around the
 * loop. */
void inter_merge_equal(pass_context *p, MlirBlock body);
/* Whether two operations are of the same kind, with the same attributes, and have the same operands
 * present; the operands themselves may differ. */
bool inter_same_operation(MlirOperation a, MlirOperation b);

#endif
