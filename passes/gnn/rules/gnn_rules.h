/* The rewrite rules of gnn-canonicalize. Each looks at one operation and returns a value that may
 * replace its result, built before it, or null where the rule does not apply. A rule never erases
 * anything. */
#ifndef GNNC_PASSES_GNN_RULES_GNN_RULES_H
#define GNNC_PASSES_GNN_RULES_GNN_RULES_H

#include "passes/manager/pass.h"

/* Arithmetic on constants: 2 + 3 is 5, sqrt(4) is 2. */
MlirValue gnn_rule_fold_constant(const pass_context *p, MlirOperation op);

/* x * 1, x + 0, x - 0, x / 1, -(-x), x + (-y), relu(relu(x)), max(x, x), select with a known
 * condition. */
MlirValue gnn_rule_identity(const pass_context *p, MlirOperation op);

/* Reshape of reshape, reshape to the same shape, transpose of transpose, transpose into
 * linear{transposed}. */
MlirValue gnn_rule_layout(const pass_context *p, MlirOperation op);

/* f(gather(x)) becomes gather(f(x)): f is computed per node instead of per edge. The same for
 * slices of per-type values. */
MlirValue gnn_rule_hoist(const pass_context *p, MlirOperation op);

/* Whether f(x) may be infinite, or have an infinite derivative, at nodes without edges, in a function that is
 * differentiated later. `operands` are those of f per node. */
bool gnn_has_pole(MlirOperation op, const MlirValue *operands);

/* (x * f) / c becomes x * (f / c), where f is per type or for the whole model and c for the whole
 * model: less work per edge. */
MlirValue gnn_rule_factor(const pass_context *p, MlirOperation op);

/* a . [x, y] becomes a_left . x + a_right . y at edges, where a is a weight: each side is computed
 * on its own. */
MlirValue gnn_rule_split(const pass_context *p, MlirOperation op);

/* aggregate(linear(x, reshape(linear(h, W)))) becomes linear(aggregate(outer(h, x)), W): no matrix per edge. */
MlirValue gnn_rule_matrix(const pass_context *p, MlirOperation op);

/* aggregate(weight * gather(z)) becomes aggregate(z, weight): a layer instead of values per
 * edge. */
MlirValue gnn_rule_raise(const pass_context *p, MlirOperation op);

#endif
