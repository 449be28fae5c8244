/* Local improvements of one loop and its body; the passes of the inter level choose among them.
 * Each counts its changes in p->changed. */
#ifndef GNNC_PASSES_INTER_INTER_SIMPLIFY_H
#define GNNC_PASSES_INTER_INTER_SIMPLIFY_H

#include "passes/manager/pass.h"

/* Drops results that nobody takes; true when the loop has no results left (it is then erased). */
bool inter_prune_results(pass_context *p, MlirOperation loop);
/* Erases operations of a body that nobody needs, and prunes the results of its inner loops. */
void inter_erase_dead(pass_context *p, MlirBlock body);
/* Inside loops over the incoming edges of n, dst(e) is n; over the outgoing ones, src(e) is; over
 * the edges of a pair, group(e) is that. */
void inter_fold_ends(pass_context *p, MlirBlock body);
/* Moves what does not depend on the inner cursor out of inner loops. */
void inter_hoist(pass_context *p, MlirBlock body);
/* Merges inner loops over the same edges or entries where neither needs the other's results. */
void inter_merge_inner(pass_context *p, MlirBlock body);
/* Merges equal operations of a body; those of inner loops with those around them too. */
void inter_merge_equal(pass_context *p, MlirBlock body);
/* The same kind of operation with the same attributes and operands present; what the operands are
 * is not asked. */
bool inter_same_operation(MlirOperation a, MlirOperation b);

#endif
