/* gnn-canonicalize: folds constants, removes identities, and turns gathers with sums into
 * aggregates.
 *
 *   %m = gather(%g, %z){src}; %w = multiply(%a, %m); %y = aggregate(%g, %w){sum, in}
 *   =>  %y = aggregate(%g, %z, %a){sum, in}
 *
 * The front end emits what the model says, statement by statement; later passes, above all
 * gnn-order, expect layers. The rules are in gnn_rules_*.c. A sweep goes forward, so that an
 * operation sees operands that are simplified already; sweeps repeat until one changes nothing,
 * usually after two or three. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

typedef MlirValue (*rule)(const pass_context *p, MlirOperation op);

static const rule rules[] = {
    gnn_rule_fold_constant, gnn_rule_identity, gnn_rule_layout, gnn_rule_hoist,
    gnn_rule_factor,        gnn_rule_split,    gnn_rule_matrix, gnn_rule_raise,
};

static void rewrite_op(pass_context *p, MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    MlirValue value = rules[i](p, op);
    if (ir_value_is_null(value)) continue;
    gnn_replace(p, op, value);
    return;
  }
}

static bool sweep(pass_context *p, MlirOperation func) {
  uint64_t before = p->changed;
  IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
    if (gnn_is_graph_level(op)) rewrite_op(p, op);
  }
  return p->changed != before;
}

bool pass_run_canonicalize(MlirOperation root, pass_context *p) {
  IR_FOR_EACH_FUNC(func, root)
    while (sweep(p, func)) continue;
  return true;
}
