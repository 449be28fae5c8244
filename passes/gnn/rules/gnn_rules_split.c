/* Rule of gnn-canonicalize about a weight that multiplies two concatenated values: each value is
 * multiplied by its own columns of the weight.
 *
 *   vector_inner(concat(%x, %y), %a) => vector_add(vector_inner(%x, columns(%a, 0, 4)), vector_inner(%y, columns(%a, 4, 4)))
 *
 * Attention is often written as a . [z_src, z_dst]. The concatenation depends on both ends of an
 * edge. After the split each part is computed once per node, or once per pair of edge type and
 * node, and can be fused with linear layers before it. It changes rounding, so it applies from -O2
 * on. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

static const MlirValue none = {NULL};

/* Whether a value is a weight: one for all rows, or one per type. */
static bool is_weight(MlirValue value) {
  return ir_type_of(value).kind == IR_KIND_plain || !mlirOperationIsNull(gnn_producer(value, IR_OP(gnn, slice)));
}

static int64_t width(MlirValue value) {
  ir_type type = ir_type_of(value);
  return type.dims[type.rank - 1];
}

static MlirValue build_columns(const ir_builder *b, MlirValue x, int64_t begin, int64_t count) {
  ir_attr attributes[] = {
      {"begin", ir_attr_integer(b->context, begin)}, {"width", ir_attr_integer(b->context, count)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, columns), &x, attributes);
}

/* The inner product of one side with its columns of the weight, at the operand positions of
 * `op`. */
static MlirValue build_side(const ir_builder *b, int position, MlirValue x, MlirValue weight, int64_t begin) {
  MlirValue operands[2];
  operands[position] = x;
  operands[1 - position] = build_columns(b, weight, begin, width(x));
  if (ir_value_is_null(operands[1 - position])) return none;
  return gnn_build_binary(b, IR_OP(gnn, vector_inner), operands[0], operands[1]);
}

MlirValue gnn_rule_split(const pass_context *p, MlirOperation op) {
  if (p->opt_level < 2 || ir_op_kind(op) != IR_OP(gnn, vector_inner) || !pass_option_bool(p, "split", true))
    return none;
  if (ir_type_of(ir_result(op)).kind != IR_KIND_edge) return none;
  for (int i = 0; i < 2; i++) {
    MlirValue side_by_side = ir_operand(op, i), weight = ir_operand(op, 1 - i);
    MlirOperation concat = gnn_producer(side_by_side, IR_OP(gnn, concat));
    if (mlirOperationIsNull(concat) || !ir_value_has_one_use(side_by_side) || !is_weight(weight)) continue;
    MlirValue x = ir_operand(concat, IR_IN(gnn, concat, a)), y = ir_operand(concat, IR_IN(gnn, concat, b));
    if (mlirShapedTypeIsDynamicSize(width(x)) || mlirShapedTypeIsDynamicSize(width(y))) return none;
    ir_builder b = ir_builder_before(op);
    MlirValue sides[IR_MAX_OPERANDS] = {build_side(&b, i, x, weight, 0), build_side(&b, i, y, weight, width(x))};
    if (ir_value_is_null(sides[0]) || ir_value_is_null(sides[1])) return none;
    ir_attr after[IR_UNARY_ATTRIBUTES];
    ir_unary_attributes(op, "activation", after);
    return ir_build_value(&b, IR_OP(gnn, vector_add), sides, after);
  }
  return none;
}
