/* inter-to-intra, scan 1 (Pigeon, Section 3.4.3): rows of products that are read in another shape
 * than they are stored in.
 *
 *   for_edges(g) ^(e): reshape(at(v, src e)) @ w[e]       becomes       at(%s, src e) @ w[e], %s = v in that shape
 *
 * The template reads a row as it is stored. A reshape keeps the order of the numbers, so the loop
 * that makes v stores them once more with the other shape. Storing reshaped rows edge by edge would
 * write each node's row as often as the node has edges. */
#include "passes/inter/inter_loops.h"
#include "passes/inter_to_intra/inter_to_intra_split.h"
#include "support/vec.h"

typedef VEC(MlirValue) value_list;

/* Reshapes x as a reshape operation does. */
static MlirValue reshape_like(const ir_builder *b, MlirOperation reshape, MlirValue x) {
  MlirAttribute shape = ir_get_attr(reshape, "shape");
  ir_attr attributes[] = {{"shape", shape}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, reshape), &x, attributes);
}

/* Makes the loop that computes a value yield it in the wanted shape too. */
static MlirValue reshape_where_made(pass_context *p, MlirOperation user, MlirOperation result, MlirOperation reshape) {
  MlirOperation loop = ir_defining_op(mlirOperationGetOperand(result, 0));
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  value_list yields = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    VEC_PUSH(p->arena, &yields, mlirOperationGetOperand(yield, i));
  ir_builder end = ir_builder_before(yield);
  end.location = mlirOperationGetLocation(reshape);
  MlirValue made = inter_yielded(loop, (unsigned)ir_get_integer(result, "index", 0));
  VEC_PUSH(p->arena, &yields, reshape_like(&end, reshape, made));
  ir_build_yield(&end, yields.items, yields.count);
  mlirOperationDestroy(yield);
  ir_builder after = ir_builder_before(user);
  after.location = mlirOperationGetLocation(result);
  return ir_build_result(&after, loop, (unsigned)yields.count - 1);
}

/* Adds a loop that stores a node value of the caller in another shape. */
static MlirValue reshape_nodes(pass_context *p, MlirOperation user, MlirValue value, MlirOperation reshape) {
  MlirBlock block;
  MlirLocation location = mlirOperationGetLocation(reshape);
  MlirType type = ir_type_make(p->context, ir_type_cursor("node", ir_type_of(value).set));
  MlirRegion region = ir_region_create(p->context, &type, 1, location, &block);
  ir_builder inside = ir_builder_at_end(block, location);
  const MlirValue own[IR_MAX_OPERANDS] = {value, mlirBlockGetArgument(block, 0)};
  MlirValue payload = reshape_like(&inside, reshape, ir_build_value(&inside, IR_OP(inter, at), own, NULL));
  ir_build_yield(&inside, &payload, 1);
  ir_builder before = ir_builder_before(user);
  before.location = location;
  const MlirValue operands[IR_MAX_OPERANDS] = {mlirOperationGetOperand(user, 0)};
  MlirOperation loop = ir_build(&before, IR_OP(inter, for_nodes), operands, NULL, region, (MlirType){NULL});
  return ir_build_result(&before, loop, 0);
}

bool to_intra_reshape_row(pass_context *p, MlirOperation loop, MlirOperation row) {
  if (ir_op_kind(row) != IR_OP(gnn, reshape)) return false;
  MlirOperation at = ir_defining_op(mlirOperationGetOperand(row, 0));
  if (mlirOperationIsNull(at) || ir_op_kind(at) != IR_OP(inter, at)) return false;
  MlirValue value = ir_operand(at, IR_IN(inter, at, value)), cursor = ir_operand(at, IR_IN(inter, at, cursor));
  ir_type type = ir_type_of(value);
  MlirOperation result = ir_defining_op(value);
  bool is_made = !mlirOperationIsNull(result) && ir_op_kind(result) == IR_OP(inter, result);
  bool is_own = mlirValueEqual(cursor, inter_cursor_of(loop));
  if (type.kind != IR_KIND_node && (type.kind != IR_KIND_edge || !is_made)) return false;
  if (!is_made && (is_own || ir_whole_set(p->context, type.set))) return false;
  MlirValue shaped = is_made ? reshape_where_made(p, loop, result, row) : reshape_nodes(p, loop, value, row);
  ir_builder here = ir_builder_before(row);
  const MlirValue operands[IR_MAX_OPERANDS] = {shaped, cursor};
  mlirValueReplaceAllUsesOfWith(ir_result(row), ir_build_value(&here, IR_OP(inter, at), operands, NULL));
  p->changed++;
  return true;
}
