/* What the typed passes share about choosing: when to rewrite, and how a choice is told in a
 * remark. */
#ifndef GNNC_PASSES_COST_GNN_CHOICE_H
#define GNNC_PASSES_COST_GNN_CHOICE_H

#include "passes/cost/gnn_cost_work.h"

/* Option 'when' of a pass: as the cost model says, wherever it is legal, or nowhere (the pass then
 * only remarks). */
typedef enum gnn_when { GNN_WHEN_profitable, GNN_WHEN_always, GNN_WHEN_never } gnn_when;
gnn_when gnn_when_get(const pass_context *p);

/* "798.2 -> 402.1 MFLOP", with ", 25.0 -> 12.4 MB" where bytes are counted; on the arena of the
 * pass. */
const char *gnn_describe_change(const pass_context *p, gnn_work before, gnn_work after);

/* The value in words: "'h'", "the product with 'conv1.weight'"; on the arena of the pass. */
const char *gnn_describe_value(const pass_context *p, MlirValue value);

#endif
