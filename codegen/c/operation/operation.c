/* A table with the function that writes each operation of a kernel's body. */
#include "codegen/c/operation/operation.h"

#include "codegen/c/body/scalar.h"
#include "codegen/c/operation/cursor.h"
#include "codegen/c/operation/dropout.h"
#include "codegen/c/operation/elementwise.h"
#include "codegen/c/operation/fold.h"
#include "codegen/c/operation/linear.h"
#include "codegen/c/operation/load.h"
#include "codegen/c/operation/lookup.h"
#include "codegen/c/operation/loop.h"
#include "codegen/c/operation/reduce.h"
#include "codegen/c/operation/softmax.h"
#include "codegen/c/operation/unite.h"

static const struct {
  ir_op op;
  void (*emit)(c_body *b, MlirOperation op);
} operations[] = {
    {IR_OP(inter, src), c_cursor_emit_end},
    {IR_OP(inter, dst), c_cursor_emit_end},
    {IR_OP(inter, degree), c_cursor_emit_degree},
    {IR_OP(inter, group), c_cursor_emit_group},
    {IR_OP(inter, group_size), c_cursor_emit_group_size},
    {IR_OP(inter, whole_row), c_cursor_emit_whole_row},
    {IR_OP(inter, for_incoming), c_loop_emit},
    {IR_OP(inter, for_outgoing), c_loop_emit},
    {IR_OP(inter, for_members), c_loop_emit},
    {IR_OP(intra, nonzeros), c_loop_emit},
    {IR_OP(inter, result), c_loop_emit_result},
    {IR_OP(inter, softmax_incoming), c_softmax_emit},
    {IR_OP(inter, fold), c_fold_emit},
    {IR_OP(inter, dropout), c_dropout_emit},
    {IR_OP(intra, load), c_load_emit},
    {IR_OP(intra, load_row), c_load_emit_row},
    {IR_OP(inter, row), c_load_emit_payload_row},
    {IR_OP(intra, combine), c_reduce_emit_pieces},
    {IR_OP(intra, dense_row), c_load_emit_dense_row},
    {IR_OP(intra, store), c_load_emit_store},
    {IR_OP(intra, unite), c_unite_emit},
    {IR_OP(gnn, constant), c_elementwise_emit_constant},
    {IR_OP(gnn, reshape), c_elementwise_emit_reshape},
    {IR_OP(gnn, concat), c_elementwise_emit_concat},
    {IR_OP(gnn, transpose), c_elementwise_emit_moved},
    {IR_OP(gnn, columns), c_elementwise_emit_moved},
    {IR_OP(gnn, outer), c_elementwise_emit_moved},
    {IR_OP(gnn, view), c_elementwise_emit_view},
    {IR_OP(gnn, iota), c_elementwise_emit_moved},
    {IR_OP(gnn, lookup), c_lookup_emit},
    {IR_OP(gnn, linear), c_linear_emit},
    {IR_OP(gnn, vector_inner), c_reduce_emit_inner},
    {IR_OP(gnn, reduce), c_reduce_emit},
    {IR_OP(gnn, argmax), c_reduce_emit_argmax},
    {IR_OP(gnn, softmax), c_reduce_emit_softmax},
};

void c_operation_emit(c_body *b, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (c_scalar_is_elementwise(kind) && kind != IR_OP(inter, dropout)) {
    c_elementwise_emit(b, op);
    return;
  }
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
    if (operations[i].op == kind) {
      operations[i].emit(b, op);
      return;
    }
  c_body_fail(b, op, DIAG_internal, "the C target has no code for '%s' in a kernel", ir_op_name(op));
}
