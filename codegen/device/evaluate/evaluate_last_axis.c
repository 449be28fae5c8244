/* Evaluates operations along the last dimension, and operations that move elements. */
#include "codegen/device/evaluate/evaluate.h"

#include "kernels/last_axis.h"
#include "kernels/rows.h"

#include <math.h>
#include <string.h>

/* Applies the operation to each run of k numbers of the last dimension; it gives k numbers or one.
 * The rows of the operand are contiguous, or one row stands for all. */
static void each_row(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *x = &c->in[0];
  int64_t k = x->type->dims[x->type->rank - 1], stretches = k ? x->width / k : 0;
  for (int64_t r = 0; r < rows; r++, out += c->width) {
    const float *in = x->data + r * x->stride;
    switch (c->kind) {
    case IR_OP(gnn, reduce): kernel_reduce_last(c->reduction, stretches, k, in, out); break;
    case IR_OP(gnn, argmax): kernel_argmax(stretches, k, in, out); break;
    case IR_OP(gnn, softmax): kernel_softmax(c->is_flagged, stretches, k, in, out); break;
    case IR_OP(gnn, row_normalize): kernel_normalize(stretches, k, in, out); break;
    default: {
      int64_t width = c->type.dims[c->type.rank - 1];
      kernel_copy_columns(stretches, width, in, k, c->begin, out, width, 0);
    }
    }
  }
}

/* ---- of more than one operand ------------------------------------------------------------------------------------ */

static void normalize_batch(const evaluate_call *c, int64_t rows, float *out) {
  const float *mean = c->in[IR_IN(gnn, batch_norm, mean)].data,
              *variance = c->in[IR_IN(gnn, batch_norm, variance)].data;
  const float *gamma = c->in[IR_IN(gnn, batch_norm, gamma)].data, *beta = c->in[IR_IN(gnn, batch_norm, beta)].data;
  const evaluate_rows *x = &c->in[IR_IN(gnn, batch_norm, x)];
  int64_t k = c->type.dims[c->type.rank - 1];
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = 0; i < c->width; i++) {
      int64_t f = i % k;
      *out++ = (x->data[r * x->stride + i] - mean[f]) / sqrtf(variance[f] + c->p) * gamma[f] + beta[f];
    }
}

static void put_beside(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *a = &c->in[0], *b = &c->in[1];
  int64_t left = a->type->dims[a->type->rank - 1], right = b->type->dims[b->type->rank - 1];
  int64_t blocks = left + right ? c->width / (left + right) : 0;
  for (int64_t r = 0; r < rows; r++, out += c->width) {
    kernel_copy_columns(blocks, left, a->data + r * a->stride, left, 0, out, left + right, 0);
    kernel_copy_columns(blocks, right, b->data + r * b->stride, right, 0, out, left + right, left);
  }
}

static void multiply_outer(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *a = &c->in[0], *b = &c->in[1];
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = 0; i < a->width; i++)
      for (int64_t j = 0; j < b->width; j++) *out++ = a->data[r * a->stride + i] * b->data[r * b->stride + j];
}

static void transpose(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *x = &c->in[0];
  int64_t m = x->type->dims[x->type->rank - 2], n = x->type->dims[x->type->rank - 1];
  int64_t blocks = m > 0 && n > 0 ? c->width / (m * n) : 0;
  for (int64_t r = 0; r < rows; r++, out += c->width) kernel_transpose(blocks, m, n, x->data + r * x->stride, out);
}

static void view(const evaluate_call *c, int64_t rows, float *out) {
  int64_t strides[IR_MAX_RANK];
  for (unsigned i = 0; i < c->type.rank; i++) strides[i] = ir_get_integer_at(c->op, "strides", i);
  for (int64_t r = 0; r < rows; r++, out += c->width)
    kernel_view(c->type.rank, c->type.dims, strides, c->begin, c->in[0].data + r * c->in[0].stride, out);
}

/* The bounds of an index that is a constant are rows: the verifier has checked it. */
static void look_up(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *table = &c->in[IR_IN(gnn, lookup, table)], *index = &c->in[IR_IN(gnn, lookup, index)];
  kernel_lookup k = {.rows = rows,
                     .width = c->width,
                     .count = table->type->dims[0],
                     .index = index->data,
                     .index_width = index->stride,
                     .low = (double)ir_get_integer(c->op, "low", 0),
                     .high = (double)ir_get_integer(c->op, "high", 0),
                     .table = table->data};
  kernel_lookup_run(&k, out);
}

static void copy(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *x = &c->in[0];
  for (int64_t r = 0; r < rows; r++)
    memcpy(out + r * c->width, x->data + r * x->stride, (size_t)c->width * sizeof *out);
}

void evaluate_last_axis(const evaluate_call *c, int64_t rows, float *out) {
  switch (c->kind) {
  case IR_OP(gnn, reduce):
  case IR_OP(gnn, argmax):
  case IR_OP(gnn, softmax):
  case IR_OP(gnn, row_normalize):
  case IR_OP(gnn, columns): each_row(c, rows, out); break;
  case IR_OP(gnn, batch_norm): normalize_batch(c, rows, out); break;
  case IR_OP(gnn, concat): put_beside(c, rows, out); break;
  case IR_OP(gnn, outer): multiply_outer(c, rows, out); break;
  case IR_OP(gnn, transpose): transpose(c, rows, out); break;
  case IR_OP(gnn, view): view(c, rows, out); break;
  case IR_OP(gnn, lookup): look_up(c, rows, out); break;
  default: copy(c, rows, out); break; /* gnn.reshape */
  }
}
