/* When a pass rewrites, and the texts of its remarks; see the header. */
#include "passes/cost/gnn_choice.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

gnn_when gnn_when_get(const pass_context *p) {
  const char *when = pass_option_string(p, "when", "profitable");
  if (!strcmp(when, "always")) return GNN_WHEN_always;
  return !strcmp(when, "never") ? GNN_WHEN_never : GNN_WHEN_profitable;
}

const char *gnn_describe_change(const pass_context *p, gnn_work before, gnn_work after) {
  const char *flops = arena_printf(p->arena, "%.3f -> %.3f MFLOP", before.flops / 1e6, after.flops / 1e6);
  if (before.bytes <= 0 && after.bytes <= 0) return flops;
  return arena_printf(p->arena, "%s, %.3f -> %.3f MB", flops, before.bytes / 1e6, after.bytes / 1e6);
}

/* The weight that takes part in a product, found through the operations that choose its row. */
static const char *name_weight(MlirValue value) {
  for (;;) {
    const char *name = ir_location_name(mlirValueGetLocation(value));
    MlirOperation op = ir_defining_op(value);
    if (name || mlirOperationIsNull(op)) return name;
    if (ir_weight_symbol(op)) return ir_weight_symbol(op);
    switch (ir_op_kind(op)) {
    case IR_OP(gnn, gather):
    case IR_OP(gnn, slice): value = mlirOperationGetOperand(op, 1); break;
    case IR_OP(gnn, transpose):
    case IR_OP(gnn, reshape): value = mlirOperationGetOperand(op, 0); break;
    default: return NULL;
    }
  }
}

const char *gnn_describe_value(const pass_context *p, MlirValue value) {
  const char *name = ir_location_name(mlirValueGetLocation(value));
  if (name) return arena_printf(p->arena, "'%s'", name);
  MlirOperation op = ir_defining_op(value);
  bool is_product =
      !mlirOperationIsNull(op) && (ir_op_kind(op) == IR_OP(gnn, linear) || ir_op_kind(op) == IR_OP(gnn, vector_inner));
  const char *weight = is_product ? name_weight(mlirOperationGetOperand(op, 1)) : NULL;
  return weight ? arena_printf(p->arena, "the product with '%s'", weight) : "the value here";
}
