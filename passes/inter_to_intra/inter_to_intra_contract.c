/* inter-to-intra: sums over rows become kernels of their own.
 *
 *   %l = inter.for_edges(%g) { ^(%e): yield inter.at(%x, inter.src(%e)) }
 *   %w = gnn.contract(%g, result of %l, %d)                   becomes      intra.contract(%g, %x, %d, %w) {gather_a = "src"}
 *
 * An operand that a loop only moves from nodes or pairs to edges is read where it is stored, so that
 * no copy per edge is made. The same holds for gnn.sum_by, whose operands with rows have the same places. */
#include "passes/inter_to_intra/inter_to_intra.h"

#include "passes/gnn_to_inter/gnn_to_inter.h"
#include "passes/inter/inter_loops.h"
#include "passes/inter/inter_products.h"
#include "passes/inter/inter_simplify.h"

#include <string.h>

_Static_assert(IR_IN(gnn, contract, a) == IR_IN(gnn, sum_by, value) &&
                   IR_IN(gnn, contract, b) == IR_IN(gnn, sum_by, index),
               "operands with rows have the same places");

/* Where an operand is read, while the function is lowered: attributes of gnn.contract and gnn.sum_by. */
static const char *const gathers[] = {[IR_IN(gnn, contract, a)] = "gnn.gather_a",
                                      [IR_IN(gnn, contract, b)] = "gnn.gather_b"};

bool to_intra_adds_rows(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(gnn, contract) || kind == IR_OP(gnn, sum_by);
}

/* The value that the loop of an operand only moves, and the step from its cursor to it; null where the loop computes
 * something. */
static MlirValue find_moved(MlirValue operand, const char **step) {
  const MlirValue none = {NULL};
  MlirOperation result = ir_defining_op(operand);
  if (mlirOperationIsNull(result) || ir_op_kind(result) != IR_OP(inter, result)) return none;
  MlirOperation loop = ir_defining_op(mlirOperationGetOperand(result, 0));
  if (ir_op_kind(loop) != IR_OP(inter, for_edges) && ir_op_kind(loop) != IR_OP(inter, for_nodes)) return none;
  MlirOperation at = ir_defining_op(inter_yielded(loop, (unsigned)ir_get_integer(result, "index", 0)));
  if (mlirOperationIsNull(at) || ir_op_kind(at) != IR_OP(inter, at)) return none;
  MlirValue value = ir_operand(at, IR_IN(inter, at, value));
  ir_type type = ir_type_of(value);
  *step = inter_product_step(ir_operand(at, IR_IN(inter, at, cursor)), inter_cursor_of(loop));
  bool is_stored = type.kind == IR_KIND_node || type.kind == IR_KIND_edge;
  return *step && is_stored ? value : none;
}

static void read_operand(MlirOperation op, int operand, pass_context *p) {
  MlirValue value = ir_operand(op, operand);
  const char *step = NULL;
  MlirValue from = ir_value_is_null(value) ? value : find_moved(value, &step);
  if (ir_value_is_null(from)) return;
  ir_set_operand(op, operand, from);
  ir_set_attr(op, gathers[operand], ir_attr_string(p->context, step));
  p->changed++;
}

void to_intra_read_through(MlirOperation func, pass_context *p) {
  inter_ops loops = {0};
  MlirBlock body = ir_func_body(func);
  IR_FOR_EACH_OP(op, body) {
    if (inter_is_outer_loop(op)) VEC_PUSH(p->arena, &loops, op);
    if (!to_intra_adds_rows(op)) continue;
    read_operand(op, IR_IN(gnn, contract, a), p);
    read_operand(op, IR_IN(gnn, contract, b), p);
  }
  for (size_t i = loops.count; i-- > 0;) inter_prune_results(p, loops.items[i]);
}

/* The attribute of the kernel; null where rows are read at themselves. */
static MlirAttribute gather_of(MlirOperation op, int operand) {
  MlirAttribute gather = ir_get_attr(op, gathers[operand]);
  const char *step = ir_string_of(gather);
  return step && strcmp(step, "none") != 0 ? gather : (MlirAttribute){NULL};
}

bool to_intra_sum_by(to_intra *t, MlirOperation op) {
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  operands[IR_IN(intra, sum_by, graph)] = to_intra_graph(t, ir_operand(op, IR_IN(gnn, sum_by, graph)));
  operands[IR_IN(intra, sum_by, value)] = to_intra_buffer(t, ir_operand(op, IR_IN(gnn, sum_by, value)));
  operands[IR_IN(intra, sum_by, index)] = to_intra_buffer(t, ir_operand(op, IR_IN(gnn, sum_by, index)));
  operands[IR_IN(intra, sum_by, to)] = to_intra_buffer(t, ir_result(op));
  MlirValue times = ir_operand(op, IR_IN(gnn, sum_by, times));
  if (!ir_value_is_null(times)) operands[IR_IN(intra, sum_by, times)] = to_intra_buffer(t, times);
  ir_attr attributes[] = {{"low", ir_get_attr(op, "low")},
                          {"high", ir_get_attr(op, "high")},
                          {"gather_value", gather_of(op, IR_IN(gnn, sum_by, value))},
                          {"gather_index", gather_of(op, IR_IN(gnn, sum_by, index))},
                          {NULL, {NULL}}};
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  return !mlirOperationIsNull(
      ir_build(&b, IR_OP(intra, sum_by), operands, attributes, (MlirRegion){NULL}, (MlirType){NULL}));
}

bool to_intra_contract(to_intra *t, MlirOperation op) {
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}}, a = ir_operand(op, IR_IN(gnn, contract, a));
  operands[IR_IN(intra, contract, graph)] = to_intra_graph(t, ir_operand(op, IR_IN(gnn, contract, graph)));
  if (!ir_value_is_null(a)) operands[IR_IN(intra, contract, a)] = to_intra_buffer(t, a);
  operands[IR_IN(intra, contract, b)] = to_intra_buffer(t, ir_operand(op, IR_IN(gnn, contract, b)));
  operands[IR_IN(intra, contract, to)] = to_intra_buffer(t, ir_result(op));
  ir_attr attributes[] = {{"batch", ir_get_attr(op, "batch")},
                          {"gather_a", gather_of(op, IR_IN(gnn, contract, a))},
                          {"gather_b", gather_of(op, IR_IN(gnn, contract, b))},
                          {"p", ir_get_attr(op, TO_INTER_DROPOUT_P)},
                          {"site", ir_get_attr(op, TO_INTER_DROPOUT_SITE)},
                          {NULL, {NULL}}};
  ir_builder b = {
      .context = t->p->context, .block = t->body, .before = t->end, .location = mlirOperationGetLocation(op)};
  return !mlirOperationIsNull(
      ir_build(&b, IR_OP(intra, contract), operands, attributes, (MlirRegion){NULL}, (MlirType){NULL}));
}
