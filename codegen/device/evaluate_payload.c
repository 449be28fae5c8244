/* Operations on payloads: their attributes, and element by element. */
#include "codegen/device/evaluate.h"
#include "codegen/device/host_wide.h"

#include <math.h>
#include <string.h>

enum {
#define UNARY(name, has_slope, default_slope, doc) UNARY_##name,
#include "dialects/unary.def"
#undef UNARY
};

static const float slopes[] = {
#define UNARY(name, has_slope, default_slope, doc) (float)(default_slope),
#include "dialects/unary.def"
#undef UNARY
};

float evaluate_slope_of(MlirOperation op, int unary) {
  return unary < 0 ? 0 : (float)ir_get_float(op, "slope", (double)slopes[unary]);
}

bool evaluate_call_of(MlirOperation op, evaluate_call *out) {
  ir_op kind = ir_op_kind(op);
  if (!ir_op_is_row_wise(kind)) return false;
  *out = (evaluate_call){.op = op, .kind = kind, .type = ir_type_of(ir_result(op)), .unary = -1};
  out->width = ir_type_elements(out->type);
  out->unary = ir_get_choice(op, kind == IR_OP(gnn, activation) ? "function" : "activation", -1);
  out->slope = evaluate_slope_of(op, out->unary);
  out->comparison = ir_get_choice(op, "predicate", 0);
  if (kind == IR_OP(gnn, reduce)) out->reduction = ir_get_choice(op, "function", 0);
  out->is_flagged = ir_get_bool(op, "transposed") || ir_get_bool(op, "log");
  out->begin = ir_get_integer(op, "begin", 0);
  if (kind == IR_OP(gnn, batch_norm)) out->slope = (float)ir_get_float(op, "epsilon", 0);
  return true;
}

/* ---- functions of one argument ----------------------------------------------------------------------------------- */

HOST_WIDE void evaluate_unary(int unary, float slope, int64_t count, float *x) {
#define EACH(expression)                                                                                               \
  for (int64_t i = 0; i < count; i++) x[i] = (expression);                                                             \
  break
  switch (unary) {
  case UNARY_relu: EACH(x[i] < 0 ? 0 : x[i]);
  case UNARY_leaky_relu: EACH(x[i] > 0 ? x[i] : slope * x[i]);
  case UNARY_elu: EACH(x[i] > 0 ? x[i] : slope * (expf(x[i]) - 1));
  case UNARY_sigmoid: EACH(1 / (1 + expf(-x[i])));
  case UNARY_swish: EACH(x[i] / (1 + expf(-x[i])));
  case UNARY_gelu: EACH(x[i] / 2 * (1 + erff(x[i] * 0.70710678f)));
  case UNARY_tanh: EACH(tanhf(x[i]));
  case UNARY_exp: EACH(expf(x[i]));
  case UNARY_log: EACH(logf(x[i]));
  case UNARY_sqrt: EACH(sqrtf(x[i]));
  case UNARY_rsqrt: EACH(1 / sqrtf(x[i]));
  case UNARY_negate: EACH(-x[i]);
  case UNARY_reciprocal: EACH(1 / x[i]);
  case UNARY_abs: EACH(fabsf(x[i]));
  default: break;
  }
#undef EACH
}

/* ---- of two and three -------------------------------------------------------------------------------------------- */

/* The operand as rows of the result's width: its own memory where it has that form, else a copy in `room` with leading dimensions aligned. */
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

static void compare(int comparison, int64_t count, const float *a, const float *b, float *out) {
#define EACH(operator)                                                                                                 \
  for (int64_t i = 0; i < count; i++) out[i] = a[i] operator b[i] ? 1.0f : 0.0f;                                       \
  break
  switch (comparison) {
  case 0: EACH(<);
  case 1: EACH(<=);
  case 2: EACH(>);
  case 3: EACH(>=);
  case 4: EACH(==);
  default: EACH(!=);
  }
#undef EACH
}

HOST_WIDE static void combine(const evaluate_call *c, int64_t count, const float *a, const float *b, float *out) {
#define EACH(expression)                                                                                               \
  for (int64_t i = 0; i < count; i++) out[i] = (expression);                                                           \
  break
  switch (c->kind) {
  case IR_OP(gnn, vector_add): EACH(a[i] + b[i]);
  case IR_OP(gnn, subtract): EACH(a[i] - b[i]);
  case IR_OP(gnn, multiply): EACH(a[i] * b[i]);
  case IR_OP(gnn, divide): EACH(a[i] / b[i]);
  case IR_OP(gnn, maximum): EACH(evaluate_max(a[i], b[i]));
  case IR_OP(gnn, minimum): EACH(evaluate_min(a[i], b[i]));
  default: compare(c->comparison, count, a, b, out); break;
  }
#undef EACH
}

void evaluate_elementwise(const evaluate_call *c, int64_t rows, float *out, float *room) {
  int64_t count = rows * c->width;
  const float *in[3] = {NULL, NULL, NULL};
  int inputs = c->kind == IR_OP(gnn, activation) ? 1 : c->kind == IR_OP(gnn, select) ? 3 : 2;
  for (int i = 0; i < inputs; i++) in[i] = spread(&c->in[i], rows, c->width, room + i * count);
  if (c->kind == IR_OP(gnn, activation))
    memcpy(out, in[0], (size_t)count * sizeof *out);
  else if (c->kind == IR_OP(gnn, select))
    for (int64_t i = 0; i < count; i++) out[i] = in[0][i] != 0 ? in[1][i] : in[2][i];
  else
    combine(c, count, in[0], in[1], out);
  evaluate_unary(c->unary, c->slope, count, out);
}

void evaluate_payload(const evaluate_call *c, int64_t rows, float *out, float *room) {
  if (ir_op_is_binary(c->kind) || c->kind == IR_OP(gnn, select) || c->kind == IR_OP(gnn, activation))
    evaluate_elementwise(c, rows, out, room);
  else if (c->kind == IR_OP(gnn, linear) || c->kind == IR_OP(gnn, vector_inner))
    evaluate_product(c, rows, out);
  else
    evaluate_last_axis(c, rows, out);
}
