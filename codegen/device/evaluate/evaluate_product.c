/* Evaluates products of payloads: gnn.linear in its three shapes, and gnn.vector_inner. */
#include "codegen/device/evaluate/evaluate.h"
#include "support/number.h"

#include "kernels/elementwise.h"
#include "kernels/gemm.h"

/* [batch, m, k] @ [batch or 1, k, n] */
typedef struct product {
  int64_t batch, m, k, n;
  bool is_shared; /* one matrix for all of the batch */
} product;

static product product_of(const evaluate_call *c) {
  ir_type x = *c->in[IR_IN(gnn, linear, x)].type, w = *c->in[IR_IN(gnn, linear, w)].type;
  bool is_rows = x.rank > 1 && w.rank == x.rank + 1, is_matrices = x.rank > 2 && w.rank == x.rank;
  product p = {.batch = 1, .m = 1, .k = x.dims[x.rank - 1], .is_shared = !is_rows && !is_matrices};
  p.n = w.dims[w.rank - (c->is_flagged ? 2 : 1)];
  unsigned leading = is_rows ? x.rank - 1 : is_matrices ? x.rank - 2 : 0;
  for (unsigned i = 0; i + 1 < x.rank; i++) *(i < leading ? &p.batch : &p.m) *= x.dims[i];
  return p;
}

static void linear(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *x = &c->in[IR_IN(gnn, linear, x)], *w = &c->in[IR_IN(gnn, linear, w)];
  const evaluate_rows *bias = &c->in[IR_IN(gnn, linear, bias)], *addend = &c->in[IR_IN(gnn, linear, addend)];
  product p = product_of(c);
  kernel_matrix matrix = {.k = p.k, .n = p.n, .is_transposed = c->is_flagged};
  for (int64_t r = 0; r < rows; r++, out += c->width) {
    for (int64_t b = 0; b < p.batch; b++) {
      matrix.data = w->data + r * w->stride + (p.is_shared ? 0 : b * p.k * p.n);
      kernel_gemm(p.m, x->data + r * x->stride + b * p.m * p.k, &matrix, out + b * p.m * p.n);
    }
    if (bias->data) kernel_add_row(p.batch * p.m, p.n, bias->data + r * bias->stride, out);
    if (addend->data) kernel_add_row(1, c->width, addend->data + r * addend->stride, out);
  }
}

static void inner(const evaluate_call *c, int64_t rows, float *out) {
  const evaluate_rows *a = &c->in[0], *b = &c->in[1];
  int64_t k = a->type->dims[a->type->rank - 1];
  int64_t most = k ? number_max(a->width, b->width) / k : 0;
  int64_t a_inner = most ? most / (a->width / k) : 1, b_inner = most ? most / (b->width / k) : 1;
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = 0; i < c->width; i++) {
      const float *p = a->data + r * a->stride + i / a_inner * k, *q = b->data + r * b->stride + i / b_inner * k;
      *out++ = kernel_dot(k, p, q);
    }
}

void evaluate_product(const evaluate_call *c, int64_t rows, float *out) {
  if (c->kind == IR_OP(gnn, linear))
    linear(c, rows, out);
  else
    inner(c, rows, out);
  if (c->unary != UNARY_none) kernel_unary(c->unary, c->p, c->q, rows * c->width, out);
}
