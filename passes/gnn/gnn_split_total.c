/* gnn-split-total: a reduction over all nodes becomes reductions over 64 pieces of consecutive nodes,
 * and a binary tree over the pieces.
 *
 *   %s = gnn.total(%g, %x) {sum}    becomes    %p = gnn.pieces(%g, %x) {sum}; %s = gnn.combine(%p) {sum}
 *
 * The pieces are computed by any number of threads, and the result is always the same. A sum of outer
 * products is multiplied as it is added up, so that no matrix per node exists. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/manager/pass.h"

#include <string.h>

static MlirValue reduce(const ir_builder *b, MlirValue graph, MlirValue value, MlirValue times, const char *function) {
  const MlirValue operands[IR_MAX_OPERANDS] = {graph, value, times};
  ir_attr attributes[] = {{"reduce", ir_attr_string(b->context, function)}, {NULL, {NULL}}};
  MlirValue pieces = ir_build_value(b, IR_OP(gnn, pieces), operands, attributes);
  return ir_build_value(b, IR_OP(gnn, combine), &pieces, attributes);
}

/* The number of nodes: the sum of 1 over them. select(d, 1, 1) is 1 for each node. */
static MlirValue count_nodes(const ir_builder *b, MlirValue graph) {
  ir_attr in[] = {{"direction", ir_attr_string(b->context, "in")}, {NULL, {NULL}}};
  MlirValue degree = ir_build_value(b, IR_OP(gnn, degree), &graph, in), one = gnn_build_constant(b, 1);
  const MlirValue operands[IR_MAX_OPERANDS] = {degree, one, one};
  MlirValue ones = ir_build_value(b, IR_OP(gnn, select), operands, NULL);
  return reduce(b, graph, ones, (MlirValue){NULL}, "sum");
}

static bool split(pass_context *p, MlirOperation op) {
  ir_builder b = ir_builder_before(op);
  MlirValue graph = ir_operand(op, IR_IN(gnn, total, graph)), value = ir_operand(op, IR_IN(gnn, total, value));
  MlirValue times = ir_operand(op, IR_IN(gnn, total, times));
  const char *function = ir_get_string(op, "reduce", "sum");
  bool is_mean = !strcmp(function, "mean"), is_sum = is_mean || !strcmp(function, "sum");
  MlirValue made = reduce(&b, graph, value, times, is_mean ? "sum" : function);
  if (is_mean) {
    MlirValue count = count_nodes(&b, graph), one = gnn_build_constant(&b, 1);
    made = gnn_build_binary(&b, IR_OP(gnn, divide), made, gnn_build_binary(&b, IR_OP(gnn, maximum), count, one));
  }
  if (!is_sum) {
    MlirValue count = count_nodes(&b, graph), zero = gnn_build_constant(&b, 0);
    const MlirValue operands[IR_MAX_OPERANDS] = {count, made, zero};
    made = ir_build_value(&b, IR_OP(gnn, select), operands, NULL);
  }
  if (ir_value_is_null(made)) return false;
  mlirValueReplaceAllUsesOfWith(ir_result(op), made);
  mlirOperationDestroy(op);
  p->changed++;
  return true;
}

bool pass_run_split_total(MlirOperation root, pass_context *p) {
  bool ok = true;
  IR_FOR_EACH_FUNC(func, root) {
    MlirBlock body = ir_func_body(func);
    IR_FOR_EACH_OP_SAFE(op, body)
      if (ir_op_kind(op) == IR_OP(gnn, total)) ok = split(p, op) && ok;
  }
  return ok;
}
