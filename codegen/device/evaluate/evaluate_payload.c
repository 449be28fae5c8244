/* Reads the attributes of operations on payloads, and evaluates the element-wise ones. */
#include "codegen/device/evaluate/evaluate.h"
#include "kernels/elementwise.h"

#include <string.h>

bool evaluate_call_of(MlirOperation op, evaluate_call *out) {
  ir_op kind = ir_op_kind(op);
  if (!ir_op_is_row_wise(kind)) return false;
  *out = (evaluate_call){.op = op, .kind = kind, .type = ir_type_of(ir_result(op))};
  out->width = ir_type_elements(out->type);
  out->unary = ir_unary_of(op);
  if (kind == IR_OP(gnn, activation) && out->unary == UNARY_none) return false;
  out->p = (float)ir_unary_number(op, 0);
  out->q = (float)ir_unary_number(op, 1);
  out->binary = ir_binary_of(op);
  if (ir_op_is_binary(kind) && out->binary == BINARY_none) return false;
  if (kind == IR_OP(gnn, reduce)) out->reduction = kernel_reduction_of(ir_get_string(op, "function", "sum"));
  out->is_flagged = ir_get_bool(op, "transposed") || ir_get_bool(op, "log");
  out->begin = ir_get_integer(op, "begin", 0);
  if (kind == IR_OP(gnn, batch_norm)) out->p = (float)ir_get_float(op, "epsilon", 0);
  return true;
}

/* Returns the operand as rows of the result's width: its own memory where it has that form, else a
 * copy in `room` with leading dimensions aligned. */
static const float *spread(const evaluate_rows *in, int64_t rows, int64_t width, float *room) {
  if (in->width == width && (in->stride == width || rows == 1)) return in->data;
  int64_t inner = in->width ? width / in->width : 0;
  if (in->width == 1 && !in->stride) {
    for (int64_t i = 0; i < rows * width; i++) room[i] = *in->data;
    return room;
  }
  for (int64_t r = 0; r < rows; r++) {
    const float *from = in->data + r * in->stride;
    float *to = room + r * width;
    for (int64_t i = 0; i < in->width; i++)
      for (int64_t k = 0; k < inner; k++) *to++ = from[i];
  }
  return room;
}

void evaluate_elementwise(const evaluate_call *c, int64_t rows, float *out, float *room) {
  int64_t count = rows * c->width;
  const float *in[3] = {NULL, NULL, NULL};
  int inputs = c->kind == IR_OP(gnn, activation) ? 1 : c->kind == IR_OP(gnn, select) ? 3 : 2;
  for (int i = 0; i < inputs; i++) in[i] = spread(&c->in[i], rows, c->width, room + i * count);
  if (c->kind == IR_OP(gnn, activation))
    memcpy(out, in[0], (size_t)count * sizeof *out);
  else if (c->kind == IR_OP(gnn, select))
    kernel_select(count, in[0], in[1], in[2], out);
  else
    kernel_binary(c->binary, count, in[0], in[1], out);
  if (c->unary != UNARY_none) kernel_unary(c->unary, c->p, c->q, count, out);
}

void evaluate_payload(const evaluate_call *c, int64_t rows, float *out, float *room) {
  if (ir_op_is_binary(c->kind) || c->kind == IR_OP(gnn, select) || c->kind == IR_OP(gnn, activation))
    evaluate_elementwise(c, rows, out, room);
  else if (c->kind == IR_OP(gnn, linear) || c->kind == IR_OP(gnn, vector_inner))
    evaluate_product(c, rows, out);
  else
    evaluate_last_axis(c, rows, out);
}
