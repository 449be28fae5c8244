/* GEMM instances whose rows are gathered, or are multiplied by the matrix of their type, or are a
 * batch with a matrix per head.
 *
 *   for (int64_t t = 0; t < 104; t++) {                                  each type's rows that lie in begin .. end - 1
 *     const int64_t from = ..., to = ...;
 *     for (int64_t first = from; first < to; first += 64) {
 *       const real *rows[64]; ...                                        pointers to the rows of A, gathered
 *       gemm_rows(last - first, 64, 64, rows, W_packed + t * 4096, product, 64);
 *       for (int64_t i = first; i < last; i++) { const int64_t p = g->etype_order[i]; ... }   the epilogue
 *     }
 *   } */
#include "codegen/c/gemm/gemm_typed.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
#include "codegen/c/body/row.h"
#include "codegen/c/gemm/gemm_direct.h"
#include "codegen/c/gemm/gemm_wide.h"
#include "codegen/c/gemm/product.h"
#include "codegen/c/model/array.h"
#include "codegen/c/operation/linear.h"

#include <string.h>

enum { BLOCK = 64, SMALLEST_BLOCK = 8 };

static bool has_type(const c_buffer *b) {
  return c_rows_describe(b->rows)->is_typed;
}

bool c_gemm_typed_takes(c_body *b, MlirOperation op) {
  const c_buffer *w = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, gemm, b)));
  return strcmp(ir_get_string(op, "gather", "none"), "none") != 0 || ir_get_bool(op, "batch") || (w && has_type(w));
}

/* ---- types of rows ---- */

/* The type that selects a row's matrix where the row is not a node of the graph: the type of a
 * part, or of one end of a pair. */
static const char *type_of_row(c_body *b, const c_product *p, const char *row) {
  arena *a = b->model->arena;
  const c_set *set = &b->model->sets.items[b->kernel->set];
  if (p->b->rows != C_ROWS_ntype) return NULL;
  if (set->part >= 0) return arena_printf(a, "%lld", (long long)set->part);
  if (!set->end) return NULL;
  const char *graph = c_parameter_set(b, b->kernel->set);
  return arena_printf(a, "%s->node_type[%s->%s[%s]]", graph, graph, set->end, row);
}

static const char *matrix_of_type(c_body *b, const c_product *p, const char *type) {
  int64_t size = (p->is_batch ? p->heads : 1) * p->depth * (p->is_plain ? p->width : p->padded);
  return arena_printf(b->model->arena, "%s + %s * %lld", p->matrix, type, (long long)size);
}

/* ---- plain loops ---- */

/* Writes one product per row by plain loops. */
static void emit_plain(c_body *b, const c_stretch *s) {
  const c_product *p = s->product;
  arena *a = b->model->arena;
  const char *n = c_names_add(&b->names, "n"), *i = s->order ? c_names_add(&b->names, "i") : n;
  c_writer_open_loop(b->w, i, s->from, s->to);
  if (s->order) c_writer_line(b->w, "const int64_t %s = %s[%s];", n, s->order, i);
  const char *x_row = c_names_add(&b->names, "x_row"), *w_row = c_names_add(&b->names, "w_row");
  const char *y = c_names_add(&b->names, "product");
  c_product_declare_row(b, p, x_row, c_product_row(b, p, n), p->heads * p->depth);
  p->at->text = n;
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(p->b), w_row, s->matrix);
  c_writer_line(b->w, "real %s[%lld];", y, (long long)(p->heads * p->width));
  if (p->is_batch) {
    c_mark mark = c_nest_mark(b);
    const char *h = c_names_add(&b->names, "h");
    c_writer_open_count(b->w, h, p->heads);
    x_row = arena_printf(a, "(%s + %s * %lld)", x_row, h, (long long)p->depth);
    w_row = arena_printf(a, "(%s + %s * %lld)", w_row, h, (long long)(p->depth * p->width));
    const char *y_h = arena_printf(a, "(%s + %s * %lld)", y, h, (long long)p->width);
    c_linear_product(b, x_row, w_row, (c_target){.base = y_h}, 1, p->depth, p->width, p->is_transposed);
    c_nest_leave(b, mark);
  } else {
    c_linear_product(b, x_row, w_row, (c_target){.base = y}, p->heads, p->depth, p->width, p->is_transposed);
  }
  c_body_define(b, p->value, C_FORM_memory, y);
  c_body_emit_block(b, p->block);
  c_writer_close(b->w);
}

/* ---- blocks ---- */

static int64_t block_rows(const c_product *p) {
  int64_t fit = c_product_fit(p);
  return fit > BLOCK ? BLOCK : fit / SMALLEST_BLOCK * SMALLEST_BLOCK;
}

/* Writes the pointers to the rows of A that the block `first` .. `last` - 1 reads, and the products
 * of these rows with the matrix, which go to y. */
static void emit_products(c_body *b, const c_stretch *s, const char *first, const char *last, const char *rows,
                          const char *y, const char *i, const char *h) {
  const c_product *p = s->product;
  arena *a = b->model->arena;
  long long depth = (long long)p->depth;
  const char *matrix = s->matrix, *at = y;
  c_mark mark = c_nest_mark(b);
  if (p->heads > 1) {
    c_writer_open_count(b->w, h, p->heads);
    at = arena_printf(a, "%s + %s * %lld", y, h, (long long)p->width);
    if (p->is_batch) matrix = arena_printf(a, "%s + %s * %lld", matrix, h, depth * (long long)p->padded);
  }
  const char *row = c_product_row(b, p, s->order ? arena_printf(a, "%s[%s]", s->order, i) : i);
  if (p->heads > 1) row = arena_printf(a, "%s + %s * %lld", row, h, depth);
  c_product_emit_rows(b, p, rows, i, first, last, row);
  c_writer_line(b->w, "gemm_rows(%s - %s, %lld, %lld, %s, %s, %s, %lld);", last, first, depth, (long long)p->width,
                rows, matrix, at, (long long)p->reach);
  c_nest_leave(b, mark);
}

/* Writes the epilogue for each row of a block. Its products are at y, or in the rows of
 * `direct`. */
static void emit_epilogue(c_body *b, const c_stretch *s, const char *first, const char *last, const char *i,
                          const char *y, const c_parameter *direct) {
  const c_product *p = s->product;
  c_writer_open_loop(b->w, i, first, last);
  const char *n = i, *value = c_names_add(&b->names, "y");
  if (s->order) {
    n = c_names_add(&b->names, "n");
    c_writer_line(b->w, "const int64_t %s = %s[%s];", n, s->order, i);
  }
  p->at->text = n;
  if (direct)
    c_writer_line(b->w, "const real *%s = %s;", value, c_row_at(b, direct, p->cursor));
  else
    c_writer_line(b->w, "const real *%s = %s + (%s - %s) * %lld;", value, y, i, first, (long long)p->reach);
  c_body_define(b, p->value, C_FORM_memory, value)->home = direct ? direct->buffer : NULL;
  c_body_emit_block(b, p->block);
  c_writer_close(b->w);
}

/* Writes the loop over the blocks of a range of rows. */
static void emit_blocks(c_body *b, const c_stretch *s) {
  const c_product *p = s->product;
  long long size = (long long)block_rows(p);
  const char *first = c_names_add(&b->names, "first"), *last = c_names_add(&b->names, "last");
  const char *rows = c_names_add(&b->names, "rows"), *y = c_names_add(&b->names, "product");
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s += %lld)", first, s->from, first, s->to, first, size);
  c_writer_line(b->w, "const int64_t %s = chunk_end(%s, %lld, %s);", last, first, size, s->to);
  c_product_declare_rows(b, p, rows, size);
  bool is_all = false;
  const c_parameter *direct = s->order ? NULL : c_gemm_direct_find(b, p, &is_all);
  p->at->text = first;
  if (direct)
    y = c_row_at(b, direct, p->cursor);
  else
    c_writer_line(b->w, "real %s[%lld * %lld];", y, size, (long long)p->reach);
  const char *i = c_names_add(&b->names, "i"), *h = c_names_add(&b->names, "h");
  emit_products(b, s, first, last, rows, y, i, h);
  if (!is_all) emit_epilogue(b, s, first, last, i, y, direct);
  c_writer_close(b->w);
}

static void emit_stretch(c_body *b, const c_product *p, const char *from, const char *to, const char *matrix,
                         const char *order) {
  const c_stretch s = {.product = p, .from = from, .to = to, .order = order, .matrix = matrix};
  if (c_gemm_wide_is_needed(p))
    c_gemm_wide_emit(b, &s);
  else if (p->is_plain)
    emit_plain(b, &s);
  else
    emit_blocks(b, &s);
}

/* ---- ranges of rows with one matrix ---- */

/* Writes a loop over rows in the order in which they lie, which takes as many consecutive rows of
 * one type as possible at a time. */
static void emit_runs(c_body *b, const c_product *p) {
  if (b->model->sets.items[b->kernel->set].part >= 0) {
    emit_stretch(b, p, "begin", "end", matrix_of_type(b, p, type_of_row(b, p, "begin")), NULL);
    return;
  }
  const char *t = c_names_add(&b->names, "t"), *from = c_names_add(&b->names, "from"),
             *to = c_names_add(&b->names, "to");
  c_writer_open(b->w, "for (int64_t %s = begin, %s; %s < end; %s = %s)", from, to, from, from, to);
  c_writer_line(b->w, "const int64_t %s = %s;", t, type_of_row(b, p, from));
  c_writer_line(b->w, "for (%s = %s + 1; %s < end && %s == %s;) %s++;", to, from, to, type_of_row(b, p, to), t, to);
  emit_stretch(b, p, from, to, matrix_of_type(b, p, t), NULL);
  c_writer_close(b->w);
}

/* Finds the arrays that cut the kernel's rows into segments by type: returns the array of
 * beginnings; *order lists the rows, NULL where rows lie by type. */
static const char *find_segments(c_body *b, const c_product *p, const char **order) {
  *order = "ntype_order";
  for (int i = 0; i < C_SEGMENTS_COUNT; i++) {
    const c_segments *segments = &c_array_segments[i];
    if (segments->types != p->b->rows) continue;
    bool is_ordered = c_array_is_made(&b->model->sets.items[b->kernel->set], segments->order);
    *order = is_ordered ? c_array_name(segments->order) : NULL;
    return c_array_name(segments->ptr);
  }
  return "ntype_ptr";
}

/* Writes the loop over types. Each iteration takes the part of a segment that lies among the
 * kernel's rows. */
static void emit_segments(c_body *b, const c_product *p) {
  const char *order, *ptr = find_segments(b, p, &order), *graph = c_parameter_set(b, b->kernel->set);
  const char *t = c_names_add(&b->names, "t"), *from = c_names_add(&b->names, "from"),
             *to = c_names_add(&b->names, "to");
  if (order) order = arena_printf(b->model->arena, "%s->%s", graph, order);
  c_writer_open_count(b->w, t, c_model_types(b->model, p->b->rows));
  c_writer_line(b->w, "const int64_t %s = %s->%s[%s] > begin ? %s->%s[%s] : begin;", from, graph, ptr, t, graph, ptr,
                t);
  c_writer_line(b->w, "const int64_t %s = chunk_end(0, %s->%s[%s + 1], end);", to, graph, ptr, t);
  emit_stretch(b, p, from, to, matrix_of_type(b, p, t), order);
  c_writer_close(b->w);
}

void c_gemm_typed_emit(c_body *b) {
  const c_product p = c_product_describe(b);
  if (type_of_row(b, &p, "begin"))
    emit_runs(b, &p);
  else if (has_type(p.b))
    emit_segments(b, &p);
  else
    emit_stretch(b, &p, "begin", "end", p.matrix, NULL);
}
