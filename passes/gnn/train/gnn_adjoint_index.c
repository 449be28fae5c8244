/* Adjoints of rows that an index picks.
 *
 *   y[r] = T[i[r]]           dT[v] = sum of dy[r] over the rows r with i[r] = v, in their order
 *
 * Each row is read once, whatever the number of rows of the table. Where a linear layer multiplies by the rows of a table of matrices,
 * its rule has added to the table itself, so that no row gets a matrix. */
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#define OPERAND(op, name) o->operands[IR_IN(gnn, op, name)]

/* 1 at the row of the table that a plain index picks, else 0. */
static MlirValue one_hot(const gnn_adjoint_op *o, int64_t rows) {
  const gnn_adjoint *a = o->a;
  MlirValue index = OPERAND(lookup, index);
  if (ir_type_of(index).is_integer) index = gnn_build_unary(&a->b, IR_OP(gnn, convert), index);
  if (!mlirAttributeIsNull(ir_get_attr(o->op, "high")))
    index = gnn_adjoint_binary(a, IR_OP(gnn, minimum), index,
                               gnn_adjoint_constant(a, (double)ir_get_integer(o->op, "high", 0)));
  if (!mlirAttributeIsNull(ir_get_attr(o->op, "low")))
    index = gnn_adjoint_binary(a, IR_OP(gnn, maximum), index,
                               gnn_adjoint_constant(a, (double)ir_get_integer(o->op, "low", 0)));
  ir_attr attributes[] = {{"size", ir_attr_integer(a->b.context, rows)}, {NULL, {NULL}}};
  return gnn_adjoint_compare(a, ir_build_value(&a->b, IR_OP(gnn, iota), NULL, attributes), index, "eq");
}

/* Of one row that the whole model reads. */
static void add_row(const gnn_adjoint_op *o, MlirValue table) {
  ir_type type = ir_type_of(table);
  const int64_t width = ir_type_elements(type) / type.dims[0];
  const MlirValue operands[IR_MAX_OPERANDS] = {one_hot(o, type.dims[0]), gnn_adjoint_reshape(o->a, o->d, 1, &width)};
  MlirValue sum = ir_build_value(&o->a->b, IR_OP(gnn, outer), operands, NULL);
  gnn_adjoint_add(o->a, table, gnn_adjoint_reshape(o->a, sum, type.rank, type.dims));
}

void gnn_adjoint_add_picked(gnn_adjoint *a, MlirOperation lookup, MlirValue times, MlirValue d) {
  MlirValue table = ir_operand(lookup, IR_IN(gnn, lookup, table)),
            index = ir_operand(lookup, IR_IN(gnn, lookup, index));
  const MlirValue operands[IR_MAX_OPERANDS] = {gnn_adjoint_graph_of(a, index), d, index, times};
  ir_attr attributes[] = {{"rows", ir_attr_integer(a->b.context, ir_type_of(table).dims[0])},
                          {"low", ir_get_attr(lookup, "low")},
                          {"high", ir_get_attr(lookup, "high")},
                          {NULL, {NULL}}};
  gnn_adjoint_add(a, table, ir_build_value(&a->b, IR_OP(gnn, sum_by), operands, attributes));
}

void gnn_adjoint_of_lookup(gnn_adjoint_op *o) {
  MlirValue table = OPERAND(lookup, table), index = OPERAND(lookup, index);
  if (!gnn_adjoint_is_active(o->a, table)) return;
  if (ir_type_of(index).kind == IR_KIND_plain) {
    add_row(o, table);
    return;
  }
  gnn_adjoint_add_picked(o->a, o->op, (MlirValue){NULL}, o->d);
}

/* The adjoint of a sum is read by all rows that were added to it. */
void gnn_adjoint_of_sum_by(gnn_adjoint_op *o) {
  MlirValue times = OPERAND(sum_by, times), value = OPERAND(sum_by, value);
  const MlirValue operands[IR_MAX_OPERANDS] = {o->d, OPERAND(sum_by, index)};
  ir_attr attributes[] = {{"low", ir_get_attr(o->op, "low")}, {"high", ir_get_attr(o->op, "high")}, {NULL, {NULL}}};
  MlirValue d = ir_build_value(&o->a->b, IR_OP(gnn, lookup), operands, attributes);
  if (ir_value_is_null(times)) {
    gnn_adjoint_add(o->a, value, d);
    return;
  }
  if (gnn_adjoint_is_active(o->a, value)) gnn_adjoint_add(o->a, value, gnn_adjoint_linear(o->a, times, d, false));
  if (gnn_adjoint_is_active(o->a, times)) gnn_adjoint_add(o->a, times, gnn_adjoint_linear(o->a, value, d, true));
}
