/* gnn.linear inside a body: a matrix product of payloads, one row at a time.
 *
 *   gnn.linear(%x : f32[32], %w : f32[32, 16])     for (int64_t k = 0; k < 32; k++)
 *                                                    for (int64_t j = 0; j < 16; j++) y[j] += x[k] * w[k * 16 + j]; */
#include "codegen/c/operation/linear.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/place.h"

/* "base + row * size", without the parts that are 0. */
static const char *offset(c_body *b, const char *base, const char *row, int64_t size) {
  return row ? arena_printf(b->model->arena, "%s * %lld + %s", row, (long long)size, base) : base;
}

/* Dot products of each row of w [N, K] with x. */
static void product_transposed(c_body *b, const char *x, const char *w, c_target target, const char *row, int64_t depth,
                               int64_t width) {
  const char *j = c_names_add(&b->names, "j"), *k = c_names_add(&b->names, "k"), *sum = c_names_add(&b->names, "sum");
  c_writer_open_count(b->w, j, width);
  c_writer_line(b->w, "real %s = 0;", sum);
  if (b->model->options->reassociate) c_writer_line(b->w, "REDUCTION_LOOP(+ : %s)", sum);
  c_writer_open_count(b->w, k, depth);
  c_writer_line(b->w, "%s += %s%s[%s] * %s[%s * %lld + %s];", sum, c_body_widen(b, true), x, offset(b, k, row, depth),
                w, j, (long long)depth, k);
  c_writer_close(b->w);
  c_target_assign(b, target, offset(b, j, row, width), sum);
  c_writer_close(b->w);
}

/* Rows of w [K, N], each multiplied by an element of x and added to the target. */
static void product_straight(c_body *b, const char *x, const char *w, c_target target, const char *row, int64_t depth,
                             int64_t width) {
  const char *j = c_names_add(&b->names, "j"), *k = c_names_add(&b->names, "k"),
             *factor = c_names_add(&b->names, "x_k");
  c_writer_line(b->w, "%s %s[%s] = 0;", c_body_each(b, j, width), target.base, offset(b, j, row, width));
  c_writer_open_count(b->w, k, depth);
  c_writer_line(b->w, "const real %s = %s[%s];", factor, x, offset(b, k, row, depth));
  c_writer_line(b->w, "FEATURE_LOOP");
  c_writer_line(b->w, "%s %s[%s] += %s * %s[%s * %lld + %s];", c_body_each(b, j, width), target.base,
                offset(b, j, row, width), factor, w, k, (long long)width, j);
  c_writer_close(b->w);
}

void c_linear_product(c_body *b, const char *x, const char *w, c_target target, int64_t rows, int64_t depth,
                      int64_t width, bool transposed) {
  c_mark mark = c_nest_mark(b);
  const char *row = NULL;
  if (rows > 1) {
    row = c_names_add(&b->names, "i");
    c_writer_open_count(b->w, row, rows);
  }
  if (transposed)
    product_transposed(b, x, w, target, row, depth, width);
  else
    product_straight(b, x, w, target, row, depth, width);
  c_nest_leave(b, mark);
}

/* [H, K] @ [H, K, N] and [H, M, K] @ [H, K, N]: for each matrix, the product of one row of x or of
 * M rows. */
static void emit_batched(c_body *b, const c_value *x, const c_value *w, c_target target, int64_t all_rows,
                         int64_t depth, int64_t width, bool transposed) {
  int64_t size = depth * width, batch = ir_type_elements(w->type) / size, rows = all_rows / batch;
  c_mark mark = c_nest_mark(b);
  const char *h = c_names_add(&b->names, "h");
  c_writer_open_count(b->w, h, batch);
  const char *x_h = c_names_add(&b->names, "x_h"), *w_h = c_names_add(&b->names, "w_h");
  const char *y_h = c_names_add(&b->names, "y_h");
  c_writer_line(b->w, "const %s *%s = %s + %s * %lld;", x->is_float ? "float" : "real", x_h, x->text, h,
                (long long)(rows * depth));
  c_writer_line(b->w, "const %s *%s = %s + %s * %lld;", w->is_float ? "float" : "real", w_h, w->text, h,
                (long long)size);
  c_writer_line(b->w, "%s *%s = %s + %s * %lld;", target.is_float ? "float" : "real", y_h, target.base, h,
                (long long)(rows * width));
  target.base = y_h;
  c_linear_product(b, x_h, w_h, target, rows, depth, width, transposed);
  c_nest_leave(b, mark);
}

void c_linear_emit(c_body *b, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, linear, x)), w = ir_operand(op, IR_IN(gnn, linear, w));
  MlirValue bias = ir_operand(op, IR_IN(gnn, linear, bias)), addend = ir_operand(op, IR_IN(gnn, linear, addend));
  if (!ir_value_is_null(bias) || !ir_value_is_null(addend) || ir_get_string(op, "activation", NULL)) {
    c_body_fail(b, op, DIAG_internal, "gnn.linear in a kernel has a bias, an addend or an activation");
    return;
  }
  bool transposed = ir_get_bool(op, "transposed");
  ir_type x_type = ir_type_of(x), w_type = ir_type_of(w), type = ir_type_of(ir_result(op));
  int64_t depth = x_type.dims[x_type.rank - 1], width = type.dims[type.rank - 1];
  int64_t rows = ir_type_elements(x_type) / depth;
  const char *x_text = c_place_in_memory(b, x), *w_text = c_place_in_memory(b, w);
  c_target target = c_place_declare(b, ir_result(op), "product", C_USE_reduced);
  if (w_type.rank > 2)
    emit_batched(b, c_body_find(b, x), c_body_find(b, w), target, rows, depth, width, transposed);
  else
    c_linear_product(b, x_text, w_text, target, rows, depth, width, transposed);
  c_target_define(b, ir_result(op), target);
}
