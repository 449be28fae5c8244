/* What the passes with a cost model share: the option that says when to rewrite, and the texts of
 * remarks about a choice. */
#ifndef GNNC_PASSES_COST_GNN_CHOICE_H
#define GNNC_PASSES_COST_GNN_CHOICE_H

#include "passes/cost/gnn_cost_work.h"

/* Option 'when' of a pass: rewrite where the cost model says that it pays, wherever it is legal, or
 * nowhere (then the pass only writes remarks). */
typedef enum gnn_when { GNN_WHEN_profitable, GNN_WHEN_always, GNN_WHEN_never } gnn_when;
gnn_when gnn_when_get(const pass_context *p);

/* "798.2 -> 402.1 MFLOP", with ", 25.0 -> 12.4 MB" where bytes are counted; in the arena of the
 * pass. */
const char *gnn_describe_change(const pass_context *p, gnn_work before, gnn_work after);

/* The value as a remark names it: "'h'", "the product with 'conv1.weight'"; in the arena of the
 * pass. */
const char *gnn_describe_value(const pass_context *p, MlirValue value);

#endif
