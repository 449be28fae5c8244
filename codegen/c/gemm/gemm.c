/* The GEMM template: blocks of rows times a packed matrix, then the epilogue for each row.
 *
 *   for (int64_t first = begin; first < end; first += 64) {
 *     real product[64 * 16];
 *     gemm_rows(last - first, 1433, 16, rows, w, product, 16);
 *     for (int64_t n = first; n < last; n++) { const real *z = product + (n - first) * 16; ... }
 *   } */
#include "codegen/c/gemm/gemm.h"

#include "codegen/c/body/place.h"
#include "codegen/c/body/row.h"
#include "codegen/c/gemm/gemm_direct.h"
#include "codegen/c/gemm/gemm_typed.h"
#include "codegen/c/gemm/gemm_wide.h"
#include "codegen/c/gemm/product.h"
#include "codegen/c/operation/linear.h"

/* Rows of a block. Their products take a quarter of the stack limit if that is possible; panels of
 * B are read from the second-level cache once for each block. */
enum { SMALLEST_BLOCK = 8, USUAL_BLOCK = 64, LARGEST_BLOCK = 256 };

static int64_t block_rows(const c_product *p) {
  int64_t fit = c_product_fit(p), most = fit / 4 < USUAL_BLOCK ? USUAL_BLOCK : fit / 4;
  if (most > LARGEST_BLOCK) most = LARGEST_BLOCK;
  return (fit < most ? fit : most) / SMALLEST_BLOCK * SMALLEST_BLOCK;
}

/* Writes one product per row by plain loops. */
static void emit_plain(c_body *b, const c_product *p) {
  const char *n = c_names_add(&b->names, "n");
  c_writer_open_loop(b->w, n, "begin", "end");
  const char *x_row = c_names_add(&b->names, "x_row"), *y = c_names_add(&b->names, "product");
  c_product_declare_row(b, p, x_row, c_product_row(b, p, n), p->heads * p->depth);
  c_writer_line(b->w, "real %s[%lld];", y, (long long)(p->heads * p->width));
  c_linear_product(b, x_row, p->matrix, (c_target){.base = y}, p->heads, p->depth, p->width, p->is_transposed);
  c_body_define(b, p->value, C_FORM_memory, y);
  c_body_emit_block(b, p->block);
  c_writer_close(b->w);
}

/* Writes the pointers to the rows of A that the block `first` .. `last` - 1 reads, and the products
 * of these rows with B, which go to `y`. */
static void emit_products(c_body *b, const c_product *p, const char *first, const char *last, const char *rows,
                          const char *y, const char *l, const char *r) {
  if (p->heads > 1) c_writer_open_count(b->w, l, p->heads);
  const char *row = c_product_row(b, p, r), *at = y;
  if (p->heads > 1) {
    row = arena_printf(b->model->arena, "%s + %s * %lld", row, l, (long long)p->depth);
    at = arena_printf(b->model->arena, "%s + %s * %lld", y, l, (long long)p->width);
  }
  c_product_emit_rows(b, p, rows, r, first, last, row);
  c_writer_line(b->w, "gemm_rows(%s - %s, %lld, %lld, %s, %s, %s, %lld);", last, first, (long long)p->depth,
                (long long)p->width, rows, p->matrix, at, (long long)p->reach);
  if (p->heads > 1) c_writer_close(b->w);
}

static void emit_blocked(c_body *b, const c_product *p) {
  long long stride = (long long)p->reach, size = (long long)block_rows(p);
  const char *first = c_names_add(&b->names, "first"), *last = c_names_add(&b->names, "last");
  const char *rows = c_names_add(&b->names, "rows"), *y = c_names_add(&b->names, "product");
  const char *l = c_names_add(&b->names, "l"), *r = c_names_add(&b->names, "r");
  c_writer_open(b->w, "for (int64_t %s = begin; %s < end; %s += %lld)", first, first, first, size);
  c_writer_line(b->w, "const int64_t %s = %s + %lld < end ? %s + %lld : end;", last, first, size, first, size);
  c_product_declare_rows(b, p, rows, size);
  bool is_all = false;
  const c_parameter *direct = c_gemm_direct_find(b, p, &is_all);
  p->at->text = first;
  if (direct)
    y = c_row_at(b, direct, p->cursor);
  else
    c_writer_line(b->w, "real %s[%lld * %lld];", y, size, stride);
  emit_products(b, p, first, last, rows, y, l, r);
  if (is_all) {
    c_writer_close(b->w);
    return;
  }
  const char *n = c_names_add(&b->names, "n");
  p->at->text = n;
  c_writer_open_loop(b->w, n, first, last);
  const char *value = c_names_add(&b->names, "y");
  if (direct)
    c_writer_line(b->w, "const real *%s = %s;", value, c_row_at(b, direct, p->cursor));
  else
    c_writer_line(b->w, "const real *%s = %s + (%s - %s) * %lld;", value, y, n, first, stride);
  c_body_define(b, p->value, C_FORM_memory, value)->home = direct ? direct->buffer : NULL;
  c_body_emit_block(b, p->block);
  c_writer_close(b->w);
  c_writer_close(b->w);
}

void c_gemm_emit(c_body *b) {
  if (c_gemm_typed_takes(b, b->kernel->op)) {
    c_gemm_typed_emit(b);
    return;
  }
  const c_product p = c_product_describe(b);
  if (c_gemm_wide_is_needed(&p))
    c_gemm_wide_emit(b, &(c_stretch){.product = &p, .from = "begin", .to = "end", .matrix = p.matrix});
  else if (p.is_plain)
    emit_plain(b, &p);
  else
    emit_blocked(b, &p);
}
