/* Computes the operations of the device level with plain loops over grids; tests compare
 * compiled programs with them. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_LOOPS_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_LOOPS_H

#include "codegen_graphagile_fixture.h"

static grid *operand(program_host *h, MlirOperation op, int position) {
  MlirValue v = ir_operand(op, position);
  return ir_value_is_null(v) ? NULL : find_grid(h, v.ptr);
}

static bool constant_operand(program_host *h, MlirOperation op, int position, program_array *out) {
  MlirValue v = ir_operand(op, position);
  if (ir_value_is_null(v)) return false;
  program_host_evaluate(h, v, out);
  return true;
}

static float function_of(const char *said, float x) {
  const char *space = strchr(said, ' ');
  float p = space ? strtof(space + 1, NULL) : 0;
  if (!strncmp(said, "relu", 4)) return x > 0 ? x : 0;
  if (!strncmp(said, "leaky_relu", 10)) return x > 0 ? x : p * x;
  if (!strncmp(said, "elu", 3)) return x > 0 ? x : p * (expf(x) - 1);
  if (!strncmp(said, "exp", 3)) return expf(x);
  if (!strncmp(said, "sigmoid", 7)) return 1 / (1 + expf(-x));
  if (!strncmp(said, "add_constant", 12)) return x + p;
  if (!strncmp(said, "mul_constant", 12)) return x * p;
  abort();
}

static void apply_functions(MlirOperation op, grid *g) {
  for (size_t f = 0; f < ir_get_array_size(op, "functions"); f++)
    for (int64_t i = 0; i < g->rows * g->width; i++)
      g->data[i] = function_of(ir_get_string_at(op, "functions", f), g->data[i]);
}

static float combine(const char *how, float a, float b) {
  if (!strcmp(how, "replace")) return b;
  if (!strcmp(how, "add")) return a + b;
  if (!strcmp(how, "sub")) return a - b;
  if (!strcmp(how, "mul")) return a * b;
  if (!strcmp(how, "div")) return a / b;
  if (!strcmp(how, "max")) return a > b ? a : b;
  if (!strcmp(how, "min")) return a < b ? a : b;
  if (!strcmp(how, "lt")) return a < b;
  abort();
}

static int64_t type_of_row(program_host *h, const char *set, int64_t row) {
  const int64_t *offsets;
  int64_t count, type = 0;
  program_host_set_segments(h, set, "etype", &count, &offsets);
  while (row >= offsets[type + 1]) type++;
  return type;
}

static void add_bias(program_host *h, MlirOperation op, int bias, int addend, grid *out) {
  program_array b;
  const grid *more = operand(h, op, addend);
  bool has_bias = constant_operand(h, op, bias, &b);
  const char *set = ir_type_of(ir_result(op)).set;
  for (int64_t r = 0; r < out->rows; r++)
    for (int64_t c = 0; c < out->width; c++) {
      int64_t type = has_bias && b.rows > 1 ? type_of_row(h, set, r) : 0;
      if (has_bias) out->data[r * out->width + c] += b.data[type * out->width + c];
      if (more) out->data[r * out->width + c] += more->data[r * out->width + c];
    }
}

static void loops_gemm(program_host *h, MlirOperation op, grid *out) {
  const grid *in = operand(h, op, IR_IN(device, gemm, in));
  const char *set = ir_type_of(ir_result(op)).set;
  bool transposed = ir_get_bool(op, "transposed");
  program_array w;
  constant_operand(h, op, IR_IN(device, gemm, w), &w);
  for (int64_t r = 0; r < out->rows; r++) {
    const float *m = w.data + (w.rows > 1 ? type_of_row(h, set, r) * w.width : 0);
    for (int64_t n = 0; n < out->width; n++) {
      double sum = 0;
      for (int64_t k = 0; k < in->width; k++)
        sum += in->data[r * in->width + k] * m[transposed ? n * in->width + k : k * out->width + n];
      out->data[r * out->width + n] = (float)sum;
    }
  }
  add_bias(h, op, IR_IN(device, gemm, bias), IR_IN(device, gemm, addend), out);
}

static void loops_spdmm(program_host *h, MlirOperation op, grid *out) {
  const program_edge_list *list = find_list(h, ir_operand(op, IR_IN(device, spdmm, edges)));
  const grid *in = operand(h, op, IR_IN(device, spdmm, in)), *values = operand(h, op, IR_IN(device, spdmm, values));
  const char *reduce = ir_get_string(op, "reduce", "sum");
  bool *is_set = must_alloc((size_t)out->rows);
  for (int64_t e = 0; e < list->edges; e++) {
    int64_t d = list->dst[e];
    for (int64_t c = 0; c < out->width; c++) {
      int64_t head = values ? c * values->width / out->width : 0;
      float w = (list->weight ? list->weight[e] : 1) * (values ? values->data[e * values->width + head] : 1);
      float v = in ? in->data[list->src[e] * in->width + c] * w : w, *to = &out->data[d * out->width + c];
      *to = !is_set[d] ? v : !strcmp(reduce, "sum") ? *to + v : combine(reduce, *to, v);
    }
    is_set[d] = true;
  }
  free(is_set);
  add_bias(h, op, IR_IN(device, spdmm, bias), IR_IN(device, spdmm, addend), out);
}

static void loops_sddmm(program_host *h, MlirOperation op, grid *out) {
  const program_edge_list *list = find_list(h, ir_operand(op, IR_IN(device, sddmm, edges)));
  const grid *src = operand(h, op, IR_IN(device, sddmm, src)), *dst = operand(h, op, IR_IN(device, sddmm, dst));
  const grid *values = operand(h, op, IR_IN(device, sddmm, values));
  const char *inner = ir_get_string(op, "inner", ""), *how = ir_get_string(op, "combine", "");
  int64_t columns = (src ? src : dst)->width / out->width;
  for (int64_t e = 0; e < list->edges; e++)
    for (int64_t k = 0; k < out->width; k++) {
      double sum = 0;
      for (int64_t c = k * columns; c < (k + 1) * columns; c++) {
        double a = src ? src->data[list->src[e] * src->width + c] : 0,
               b = dst ? dst->data[list->dst[e] * dst->width + c] : 0;
        sum += !strcmp(inner, "dot") ? a * b : a + b;
      }
      float old = values ? values->data[e * values->width + k] : list->weight ? list->weight[e] : 1;
      out->data[e * out->width + k] = combine(how, old, (float)sum);
    }
}

static void loops_vadd(program_host *h, MlirOperation op, grid *out) {
  const grid *a = operand(h, op, IR_IN(device, vadd, a)), *b = operand(h, op, IR_IN(device, vadd, b));
  const grid *condition = operand(h, op, IR_IN(device, vadd, condition));
  const char *how = ir_get_string(op, "function", "");
  float scale = (float)ir_get_float(op, "scale", 1);
  program_array plain = {0};
  if (ir_type_of(ir_operand(op, IR_IN(device, vadd, b))).kind != IR_KIND_rows) {
    constant_operand(h, op, IR_IN(device, vadd, b), &plain);
    b = NULL;
  }
  for (int64_t r = 0; r < out->rows; r++)
    for (int64_t c = 0; c < out->width; c++) {
      float x = a->data[r * a->width + c],
            y = b ? b->data[r * b->width + (b->width > 1 ? c : 0)] : plain.data[plain.width > 1 ? c : 0];
      out->data[r * out->width + c] =
          !strcmp(how, "select") ? (condition->data[r * out->width + c] != 0 ? x : y) : combine(how, x, scale * y);
    }
}

static void loops_values(program_host *h, MlirOperation op, grid *out) {
  const grid *a = operand(h, op, IR_IN(device, values_vadd, a)), *b = operand(h, op, IR_IN(device, values_vadd, b));
  for (int64_t i = 0; i < out->rows * out->width; i++)
    out->data[i] = combine(ir_get_string(op, "function", ""), a->data[i], b->data[i]);
}

static void copy_columns(const grid *from, int64_t begin, grid *to, int64_t at, int64_t width) {
  for (int64_t r = 0; r < to->rows; r++)
    memcpy(to->data + r * to->width + at, from->data + r * from->width + begin, (size_t)width * sizeof *to->data);
}

/* Computes one operation into a new grid. */
static void loops_operation(program_host *h, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  program_array x;
  if (kind == IR_OTHER || kind == IR_OP(device, edges) || strncmp(ir_op_name(op), "device.", 7) != 0) return;
  ir_type type = ir_type_of(ir_result(op));
  if (kind == IR_OP(device, output)) return;
  int64_t rows = h->of->edges;
  if (type.kind == IR_KIND_rows) program_host_set_rows(h, type.set, &rows);
  if (kind == IR_OP(device, input) || kind == IR_OP(device, constant) || kind == IR_OP(device, constant_values)) {
    constant_operand(h, op, kind == IR_OP(device, constant_values) ? 1 : 0, &x);
    grid *made = add_grid(h, ir_result(op).ptr, rows, type.dims[0]);
    memcpy(made->data, x.data, (size_t)(rows * made->width) * sizeof *made->data);
    return;
  }
  grid *out = add_grid(h, ir_result(op).ptr, rows, type.dims[0]);
  const grid *first = operand(h, op, 0), *second = operand(h, op, 1);
  switch (kind) {
  case IR_OP(device, gemm): loops_gemm(h, op, out); break;
  case IR_OP(device, spdmm): loops_spdmm(h, op, out); break;
  case IR_OP(device, sddmm): loops_sddmm(h, op, out); break;
  case IR_OP(device, vadd): loops_vadd(h, op, out); break;
  case IR_OP(device, values_vadd): loops_values(h, op, out); break;
  case IR_OP(device, columns): copy_columns(first, ir_get_integer(op, "begin", 0), out, 0, out->width); break;
  case IR_OP(device, concat):
    copy_columns(first, 0, out, 0, first->width);
    copy_columns(second, 0, out, first->width, second->width);
    break;
  default: memcpy(out->data, first->data, (size_t)(rows * out->width) * sizeof *out->data); break;
  }
  apply_functions(op, out);
}

#endif
