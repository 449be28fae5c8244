/* gnn-to-device: integers. Device memory holds f32, so an integer input is rows of whole numbers, and
 * the host picks rows of tables by them.
 *
 *   %1 = gnn.gather(%g, %z) {src}                becomes    %i = device.input(%z)    %t = device.constant(%E)
 *   %2 = gnn.lookup(%E, %1)                                 %h = device.lookup(%t, %i) {rows = 119, column = 0}
 *                                                           %2 = device.spdmm(gather_src, %h)
 *
 * A product with a matrix that an index picks is a product with all matrices side by side, of which
 * the index then picks columns. */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_integers.h"
#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* ---- where integers are stored ---- */

/* An operation like `like` that moves another value. */
static MlirValue move_like(to_device *l, const ir_builder *b, MlirOperation like, MlirValue moved) {
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(like, operands);
  operands[ir_value_is_null(gnn_moved_within_row(like)) ? 1 : 0] = moved;
  MlirValue made = gnn_build_like(b, like, operands, NULL);
  if (ir_value_is_null(made)) l->ok = false;
  return made;
}

/* Moves within rows come before the operation if its result is one number, else after it; moves
 * between rows come after it. */
static void raise(to_device *l, MlirOperation op, unsigned operand) {
  VEC(MlirOperation) moves = {0}; /* the nearest one first */
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(op, operands);
  MlirValue x = operands[operand];
  bool is_one = !ir_type_of(x).rank;
  while (!mlirValueIsABlockArgument(x)) {
    MlirOperation move = ir_defining_op(x);
    MlirValue within = gnn_moved_within_row(move), between = gnn_moved_between_rows(move);
    if (ir_value_is_null(within) && ir_value_is_null(between)) return;
    VEC_PUSH(l->p->arena, &moves, move);
    x = ir_value_is_null(within) ? between : within;
  }
  ir_builder b = ir_builder_before(op);
  for (size_t i = moves.count; i-- > 0 && is_one && l->ok;)
    if (!ir_value_is_null(gnn_moved_within_row(moves.items[i]))) x = move_like(l, &b, moves.items[i], x);
  operands[operand] = x;
  MlirValue made = gnn_build_like(&b, op, operands, NULL);
  for (size_t i = moves.count; i-- > 0 && l->ok;)
    if (!is_one || ir_value_is_null(gnn_moved_within_row(moves.items[i])))
      made = move_like(l, &b, moves.items[i], made);
  if (l->ok) gnn_replace(l->p, op, made);
}

void to_device_raise_integers(to_device *l) {
  IR_FOR_EACH_OP_SAFE(op, l->body) {
    ir_op kind = ir_op_kind(op);
    if (kind == IR_OP(gnn, convert)) raise(l, op, IR_IN(gnn, convert, x));
    if (kind == IR_OP(gnn, lookup)) raise(l, op, IR_IN(gnn, lookup, index));
  }
}

/* ---- operations of the host ---- */

/* The rows that hold an index, and its column. */
static MlirValue index_rows(to_device *l, MlirValue index, int64_t *column) {
  *column = 0;
  if (!ir_type_of(index).is_integer) return to_device_rows(l, index);
  gnn_origin from = gnn_find_origin(index, 0);
  *column = from.element;
  return to_device_rows(l, from.argument);
}

static MlirAttribute bound_of(MlirOperation lookup, const char *name) {
  return ir_get_attr(lookup, name);
}

static MlirValue build_lookup(to_device *l, MlirOperation lookup, MlirValue table, bool is_each) {
  int64_t column, count = ir_type_of(ir_operand(lookup, IR_IN(gnn, lookup, table))).dims[0];
  MlirValue index = index_rows(l, ir_operand(lookup, IR_IN(gnn, lookup, index)), &column);
  if (ir_value_is_null(table) || ir_value_is_null(index)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {table, index};
  const ir_attr attributes[] = {{"rows", ir_attr_integer(l->p->context, count)},
                                {"column", ir_attr_integer(l->p->context, column)},
                                {"low", bound_of(lookup, "low")},
                                {"high", bound_of(lookup, "high")},
                                {"each", ir_attr_bool(l->p->context, is_each)},
                                {"unit", ir_attr_string(l->p->context, "host")},
                                {NULL, {NULL}}};
  return ir_build_value(&l->b, IR_OP(device, lookup), operands, attributes);
}

static MlirValue lower_convert(to_device *l, MlirOperation op) {
  gnn_origin from = gnn_find_origin(ir_operand(op, IR_IN(gnn, convert, x)), 0);
  MlirValue rows = to_device_rows(l, from.argument);
  if (ir_value_is_null(rows) || ir_type_of(ir_result(op)).rank || to_device_width(rows) == 1) return rows;
  const ir_attr attributes[] = {{"begin", ir_attr_integer(l->p->context, from.element)},
                                {"width", ir_attr_integer(l->p->context, 1)},
                                {"unit", ir_attr_string(l->p->context, "host")},
                                {NULL, {NULL}}};
  return ir_build_value(&l->b, IR_OP(device, columns), &rows, attributes);
}

bool to_device_integers(to_device *l, MlirOperation op) {
  MlirValue made;
  if (ir_type_of(ir_result(op)).is_integer) return true; /* read where it is stored */
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, convert): made = lower_convert(l, op); break;
  case IR_OP(gnn, lookup):
    made = build_lookup(l, op, to_device_rows(l, ir_operand(op, IR_IN(gnn, lookup, table))), false);
    break;
  default: return false;
  }
  to_device_bind(l, ir_result(op), made);
  return true;
}

/* ---- products with a picked matrix ---- */

/* The matrices [R, K, N] (or [R, N, K]) side by side: [K, R * N]. */
static MlirValue side_by_side(to_device *l, MlirValue table, bool is_transposed) {
  ir_type t = ir_type_of(table);
  int64_t r = t.dims[0], k = t.dims[is_transposed ? 2 : 1], n = t.dims[is_transposed ? 1 : 2];
  const int64_t shape[] = {k, r, n}, matrix[] = {k, r * n};
  const int64_t strides[] = {is_transposed ? 1 : n, k * n, is_transposed ? k : 1};
  const ir_attr attributes[] = {{"shape", ir_attr_integers(l->p->context, shape, 3)},
                                {"strides", ir_attr_integers(l->p->context, strides, 3)},
                                {"begin", ir_attr_integer(l->p->context, 0)},
                                {NULL, {NULL}}};
  MlirValue turned = ir_build_value(&l->b, IR_OP(gnn, view), &table, attributes);
  return ir_value_is_null(turned) ? turned : to_device_reshape(l, turned, 2, matrix);
}

MlirValue to_device_picked_product(to_device *l, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, linear, x)), none = {NULL};
  MlirOperation lookup = gnn_producer(ir_operand(op, IR_IN(gnn, linear, w)), IR_OP(gnn, lookup));
  if (mlirOperationIsNull(lookup) || ir_type_of(x).rank != 1 || ir_type_of(x).kind == IR_KIND_sparse) return none;
  MlirValue table = ir_operand(lookup, IR_IN(gnn, lookup, table));
  ir_type index = ir_type_of(ir_operand(lookup, IR_IN(gnn, lookup, index)));
  if (!to_device_is_plain_constant(l, table) || ir_type_of(table).rank != 3 || index.kind == IR_KIND_plain) return none;
  MlirValue matrix = side_by_side(l, table, ir_get_bool(op, "transposed"));
  MlirValue rows = to_device_rows_in(l, x, ir_type_of(ir_result(op)));
  pass_remark(l->p, op, "%s has a matrix that an index picks: all %lld matrices are multiplied",
              gnn_describe_value(l->p, ir_result(op)), (long long)ir_type_of(table).dims[0]);
  return build_lookup(l, lookup, to_device_gemm(l, rows, matrix, none, none, false), true);
}
