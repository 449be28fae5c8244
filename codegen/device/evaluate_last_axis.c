/* Operations along the last dimension, and those that move elements. */
#include "codegen/device/evaluate.h"

#include <math.h>
#include <string.h>

/* One stretch of the last dimension: k numbers in, as many or one out. */
typedef void stretch(const evaluate_call *c, int64_t k, const float *in, float *out);

static void reduce(const evaluate_call *c, int64_t k, const float *in, float *out) {
  float sum = 0, most = -INFINITY, least = INFINITY;
  for (int64_t i = 0; i < k; i++) {
    sum += in[i];
    most = evaluate_max(most, in[i]);
    least = evaluate_min(least, in[i]);
  }
  *out = c->reduction == EVALUATE_SUM    ? sum
         : c->reduction == EVALUATE_MEAN ? sum / (float)k
         : c->reduction == EVALUATE_MAX  ? most
                                         : least;
}

static void find_largest(const evaluate_call *c, int64_t k, const float *in, float *out) {
  (void)c;
  float top = -INFINITY;
  *out = 0;
  for (int64_t i = 0; i < k; i++) {
    if (!(in[i] > top)) continue;
    top = in[i];
    *out = (float)i;
  }
}

static void soften(const evaluate_call *c, int64_t k, const float *in, float *out) {
  float top = -INFINITY, sum = 0;
  for (int64_t i = 0; i < k; i++) top = evaluate_max(top, in[i]);
  for (int64_t i = 0; i < k; i++) sum += expf(in[i] - top);
  for (int64_t i = 0; i < k; i++) out[i] = c->is_flagged ? in[i] - top - logf(sum) : expf(in[i] - top) / sum;
}

static void normalize(const evaluate_call *c, int64_t k, const float *in, float *out) {
  (void)c;
  float sum = 0;
  for (int64_t i = 0; i < k; i++) sum += in[i];
  if (sum == 0) sum = 1;
  for (int64_t i = 0; i < k; i++) out[i] = in[i] / sum;
}

static void take_columns(const evaluate_call *c, int64_t k, const float *in, float *out) {
  (void)k;
  memcpy(out, in + c->begin, (size_t)c->type.dims[c->type.rank - 1] * sizeof *out);
}

static void each_stretch(const evaluate_call *c, int64_t rows, float *out, stretch *what) {
  const evaluate_rows *x = &c->in[0];
  int64_t k = x->type->dims[x->type->rank - 1], stretches = k ? x->width / k : 0;
  int64_t step = stretches ? c->width / stretches : 0;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t s = 0; s < stretches; s++, out += step) what(c, k, x->data + r * x->stride + s * k, out);
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
      *out++ = (x->data[r * x->stride + i] - mean[f]) / sqrtf(variance[f] + c->slope) * gamma[f] + beta[f];
    }
}

static void put_beside(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *a = &c->in[0], *b = &c->in[1];
  int64_t left = a->type->dims[a->type->rank - 1], right = b->type->dims[b->type->rank - 1];
  int64_t blocks = left + right ? c->width / (left + right) : 0;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = 0; i < blocks; i++) {
      memcpy(out, a->data + r * a->stride + i * left, (size_t)left * sizeof *out);
      memcpy(out + left, b->data + r * b->stride + i * right, (size_t)right * sizeof *out);
      out += left + right;
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
  int64_t m = x->type->dims[x->type->rank - 2], n = x->type->dims[x->type->rank - 1],
          blocks = m > 0 && n > 0 ? c->width / (m * n) : 0;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t b = 0; b < blocks; b++) {
      const float *from = x->data + r * x->stride + b * m * n;
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) *out++ = from[i * n + j];
    }
}

static void copy(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *x = &c->in[0];
  for (int64_t r = 0; r < rows; r++)
    memcpy(out + r * c->width, x->data + r * x->stride, (size_t)c->width * sizeof *out);
}

void evaluate_last_axis(const evaluate_call *c, int64_t rows, float *out) {
  switch (c->kind) {
  case IR_OP(gnn, reduce): each_stretch(c, rows, out, reduce); break;
  case IR_OP(gnn, argmax): each_stretch(c, rows, out, find_largest); break;
  case IR_OP(gnn, softmax): each_stretch(c, rows, out, soften); break;
  case IR_OP(gnn, row_normalize): each_stretch(c, rows, out, normalize); break;
  case IR_OP(gnn, columns): each_stretch(c, rows, out, take_columns); break;
  case IR_OP(gnn, batch_norm): normalize_batch(c, rows, out); break;
  case IR_OP(gnn, concat): put_beside(c, rows, out); break;
  case IR_OP(gnn, outer): multiply_outer(c, rows, out); break;
  case IR_OP(gnn, transpose): transpose(c, rows, out); break;
  default: copy(c, rows, out); break; /* gnn.reshape */
  }
}
