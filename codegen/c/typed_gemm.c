/* GEMM instances over rows that are gathered, or multiplied by the matrix of their type or, head by head, by those of a batch.
 *
 *   for (int64_t t = 0; t < 104; t++) {                                  each type's rows that lie in begin .. end - 1
 *     const int64_t from = ..., to = ...;
 *     for (int64_t first = from; first < to; first += 64) {
 *       const real *rows[64]; ...                                        pointers to the rows of A, gathered
 *       gemm_rows(last - first, 64, 64, rows, W_packed + t * 4096, product, 64);
 *       for (int64_t i = first; i < last; i++) { const int64_t p = g->etype_order[i]; ... }   the epilogue
 *     }
 *   } */
#include "codegen/c/gemm_wide.h"
#include "codegen/c/kernel.h"
#include "codegen/c/layout.h"

#include <string.h>

enum { BLOCK = 64, SMALLEST_BLOCK = 8 };

/* A product as its kernel is written. */
typedef struct c_product {
  c_kernel *kernel;
  MlirBlock block;
  MlirValue cursor, value; /* the region's arguments */
  c_value *at;             /* the cursor */
  const c_parameter *a;
  const c_buffer *b;
  MlirValue b_value;
  const char *gather;
  bool is_typed, is_batch, is_transposed;
  bool is_plain; /* by plain loops, B as it lies */
  int64_t heads; /* leading positions of A: more rows, or a batch */
  int64_t depth, width, padded;
} c_product;

bool c_typed_gemm_takes(c_body *b, MlirOperation op) {
  const c_buffer *w = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, gemm, b)));
  return strcmp(ir_get_string(op, "gather", "none"), "none") != 0 || ir_get_bool(op, "batch") ||
         (w && c_rows_is_typed(w->rows));
}

/* ---- rows of A ---- */

/* The row of A that a row of the kernel (text) reads. */
static const char *gathered(c_body *b, const c_product *p, const char *row) {
  arena *a = b->model->arena;
  const char *gather = p->gather, *number = row;
  if (!strcmp(gather, "src") || !strcmp(gather, "dst"))
    number = arena_printf(a, "%s->%s[%s]", c_access_set(b, p->kernel->set), gather, row);
  else if (strcmp(gather, "none") != 0)
    number = arena_printf(a, "%s->row[%s]", c_access_set(b, p->a->buffer->set), row);
  else {
    p->at->text = row;
    return c_access_row(b, p->a, p->cursor);
  }
  if (p->a->buffer->elements == 1) return arena_printf(a, "%s + %s", p->a->name, number);
  return arena_printf(a, "%s + (int64_t)%s * %lld", p->a->name, number, (long long)p->a->buffer->elements);
}

static bool needs_order(c_body *b, const c_product *p, c_array order) {
  if (p->b->rows == C_ROWS_ntype) return true;
  return c_array_is_made(&b->model->sets.items[p->kernel->set], order);
}

/* The arrays that cut rows into segments: "etype". */
static const char *segment_name(const c_product *p, c_array *order) {
  switch (p->b->rows) {
  case C_ROWS_etype: *order = C_ARRAY_etype_order; return "etype";
  case C_ROWS_etype_src: *order = C_ARRAY_kind_src_order; return "kind_src";
  case C_ROWS_etype_dst: *order = C_ARRAY_kind_dst_order; return "kind_dst";
  default: *order = C_ARRAY_count; return "ntype";
  }
}

/* The type that selects a row's matrix where the row is no node of the graph: that of a part, or of the one end of a pair. */
static const char *type_of_row(c_body *b, const c_product *p, const char *row) {
  arena *a = b->model->arena;
  const c_set *set = &b->model->sets.items[p->kernel->set];
  if (p->b->rows != C_ROWS_ntype) return NULL;
  if (set->part >= 0) return arena_printf(a, "%lld", (long long)set->part);
  if (!set->end) return NULL;
  const char *graph = c_access_set(b, p->kernel->set);
  return arena_printf(a, "%s->node_type[%s->%s[%s]]", graph, graph, set->end, row);
}

/* Numbers from one type's matrix to the next. */
static long long matrix_size(const c_product *p) {
  return (long long)((p->is_batch ? p->heads : 1) * p->depth * (p->is_plain ? p->width : p->padded));
}

/* ---- plain loops ---- */

/* One product per row, where A is float but real is double, or B is not ours to pack; arguments as of emit_blocks. */
static void emit_plain(c_body *b, c_product *p, const char *from, const char *to, const char *matrix,
                       const char *order) {
  arena *a = b->model->arena;
  const char *n = c_names_add(&b->names, "n"), *i = order ? c_names_add(&b->names, "i") : n;
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s++)", i, from, i, to, i);
  if (order) c_writer_line(b->w, "const int64_t %s = %s[%s];", n, order, i);
  const char *x_row = c_names_add(&b->names, "x_row"), *w_row = c_names_add(&b->names, "w_row");
  const char *y = c_names_add(&b->names, "product");
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(p->a->buffer), x_row, gathered(b, p, n));
  p->at->text = n;
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(p->b), w_row, matrix);
  c_writer_line(b->w, "real %s[%lld];", y, (long long)(p->heads * p->width));
  if (p->is_batch) {
    c_mark mark = c_nest_mark(b);
    const char *h = c_names_add(&b->names, "h");
    c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld; %s++)", h, h, (long long)p->heads, h);
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

static const char *gathered_of(c_body *b, const void *product, const char *row) {
  return gathered(b, product, row);
}

static void emit_wide(c_body *b, c_product *p, const char *from, const char *to, const char *matrix,
                      const char *order) {
  c_wide wide = {.op = p->kernel->op, .at = p->at, .from = from, .to = to, .order = order, .matrix = matrix};
  wide.a = p->a->buffer, wide.b = p->b;
  wide.heads = p->heads, wide.depth = p->depth, wide.width = p->width;
  wide.is_plain = p->is_plain, wide.is_batch = p->is_batch, wide.is_transposed = p->is_transposed;
  wide.row = gathered_of, wide.product = p;
  c_gemm_wide_emit(b, &wide);
}

/* The loop over blocks of rows from .. to - 1 of a segment; `packed` is its matrix, `order` the array that lists its rows. */
static void emit_blocks(c_body *b, c_product *p, const char *from, const char *to, const char *packed,
                        const char *order) {
  arena *a = b->model->arena;
  c_writer *w = b->w;
  long long reach = (long long)((p->heads - 1) * p->width + p->padded);
  if (c_gemm_is_wide(reach)) {
    emit_wide(b, p, from, to, packed, order);
    return;
  }
  if (p->is_plain) {
    emit_plain(b, p, from, to, packed, order);
    return;
  }
  long long size = C_STACK_ELEMENTS / reach;
  size = size > BLOCK ? BLOCK : size / SMALLEST_BLOCK * SMALLEST_BLOCK;
  long long depth = (long long)p->depth, width = (long long)p->width;
  const char *first = c_names_add(&b->names, "first"), *last = c_names_add(&b->names, "last");
  const char *rows = c_names_add(&b->names, "rows"), *y = c_names_add(&b->names, "product");
  c_writer_open(w, "for (int64_t %s = %s; %s < %s; %s += %lld)", first, from, first, to, first, size);
  c_writer_line(w, "const int64_t %s = chunk_end(%s, %lld, %s);", last, first, size, to);
  c_writer_line(w, "const %s *%s[%lld];", c_buffer_type(p->a->buffer), rows, size);
  bool is_all = false;
  const c_parameter *direct = order ? NULL : c_gemm_direct(b, p->kernel->op, reach, &is_all);
  p->at->text = first;
  if (direct)
    y = c_access_row(b, direct, p->cursor);
  else
    c_writer_line(w, "real %s[%lld * %lld];", y, size, reach);
  const char *i = c_names_add(&b->names, "i"), *h = c_names_add(&b->names, "h"), *at = y;
  c_mark mark = c_nest_mark(b);
  if (p->heads > 1) {
    c_writer_open(w, "for (int64_t %s = 0; %s < %lld; %s++)", h, h, (long long)p->heads, h);
    at = arena_printf(a, "%s + %s * %lld", y, h, width);
    if (p->is_batch) packed = arena_printf(a, "%s + %s * %lld", packed, h, depth * (long long)p->padded);
  }
  const char *row = gathered(b, p, order ? arena_printf(a, "%s[%s]", order, i) : i);
  if (p->heads > 1) row = arena_printf(a, "%s + %s * %lld", row, h, depth);
  c_writer_line(w, "for (int64_t %s = %s; %s < %s; %s++) %s[%s - %s] = %s;", i, first, i, last, i, rows, i, first, row);
  c_writer_line(w, "gemm_rows(%s - %s, %lld, %lld, %s, %s, %s, %lld);", last, first, depth, width, rows, packed, at,
                reach);
  c_nest_leave(b, mark);
  if (is_all) {
    c_writer_close(w);
    return;
  }
  c_writer_open(w, "for (int64_t %s = %s; %s < %s; %s++)", i, first, i, last, i);
  const char *n = i, *value = c_names_add(&b->names, "y");
  if (order) {
    n = c_names_add(&b->names, "n");
    c_writer_line(w, "const int64_t %s = %s[%s];", n, order, i);
  }
  p->at->text = n;
  if (direct)
    c_writer_line(w, "const real *%s = %s;", value, c_access_row(b, direct, p->cursor));
  else
    c_writer_line(w, "const real *%s = %s + (%s - %s) * %lld;", value, y, i, first, reach);
  c_body_define(b, p->value, C_FORM_memory, value)->home = direct ? direct->buffer : NULL;
  c_body_emit_block(b, p->block);
  c_writer_close(w);
  c_writer_close(w);
}

/* Rows as they lie, as many at a time as have one type. */
static void emit_runs(c_body *b, c_product *p, const char *packed) {
  arena *a = b->model->arena;
  long long matrix = matrix_size(p);
  if (b->model->sets.items[p->kernel->set].part >= 0) {
    packed = arena_printf(a, "%s + %s * %lld", packed, type_of_row(b, p, "begin"), matrix);
    emit_blocks(b, p, "begin", "end", packed, NULL);
    return;
  }
  const char *t = c_names_add(&b->names, "t"), *from = c_names_add(&b->names, "from"),
             *to = c_names_add(&b->names, "to");
  c_writer_open(b->w, "for (int64_t %s = begin, %s; %s < end; %s = %s)", from, to, from, from, to);
  c_writer_line(b->w, "const int64_t %s = %s;", t, type_of_row(b, p, from));
  c_writer_line(b->w, "for (%s = %s + 1; %s < end && %s == %s;) %s++;", to, from, to, type_of_row(b, p, to), t, to);
  emit_blocks(b, p, from, to, arena_printf(a, "%s + %s * %lld", packed, t, matrix), NULL);
  c_writer_close(b->w);
}

/* The loop over types: the part of each segment that lies among the kernel's rows. */
static void emit_segments(c_body *b, c_product *p, const char *packed) {
  arena *a = b->model->arena;
  c_array order_array;
  const char *name = segment_name(p, &order_array), *graph = c_access_set(b, p->kernel->set);
  const char *t = c_names_add(&b->names, "t"), *from = c_names_add(&b->names, "from"),
             *to = c_names_add(&b->names, "to");
  const char *order = needs_order(b, p, order_array) ? arena_printf(a, "%s->%s_order", graph, name) : NULL;
  c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld; %s++)", t, t, (long long)c_model_types(b->model, p->b->rows), t);
  c_writer_line(b->w, "const int64_t %s = %s->%s_ptr[%s] > begin ? %s->%s_ptr[%s] : begin;", from, graph, name, t,
                graph, name, t);
  c_writer_line(b->w, "const int64_t %s = chunk_end(0, %s->%s_ptr[%s + 1], end);", to, graph, name, t);
  packed = arena_printf(a, "%s + %s * %lld", packed, t, matrix_size(p));
  emit_blocks(b, p, from, to, packed, order);
  c_writer_close(b->w);
}

void c_typed_gemm_emit(c_body *b, c_kernel *kernel) {
  MlirOperation op = kernel->op;
  c_product p = {.kernel = kernel, .block = ir_region_block(op), .gather = ir_get_string(op, "gather", "none")};
  p.cursor = mlirBlockGetArgument(p.block, 0);
  p.value = mlirBlockGetArgument(p.block, 1);
  p.a = c_access_buffer(b, ir_operand(op, IR_IN(intra, gemm, a)));
  p.b_value = ir_operand(op, IR_IN(intra, gemm, b));
  p.b = c_model_buffer(b->phase, p.b_value);
  p.is_typed = c_rows_is_typed(p.b->rows);
  p.is_batch = ir_get_bool(op, "batch");
  p.is_transposed = ir_get_bool(op, "transposed");
  ir_type a_type = p.a->buffer->type, type = ir_type_of(p.value);
  p.depth = a_type.dims[a_type.rank - 1];
  p.width = type.dims[type.rank - 1];
  p.padded = c_gemm_padded(p.width);
  p.heads = ir_type_elements(a_type) / p.depth;
  p.at = c_body_define(b, p.cursor, C_FORM_cursor, "n");
  p.at->set = kernel->set;
  p.is_plain = (b->model->options->is_f64 && c_buffer_is_user(p.a->buffer)) || c_buffer_is_user(p.b);
  const char *packed = NULL;
  if (p.is_plain) {
    packed = c_access_buffer(b, p.b_value)->name;
  } else {
    kernel->packs = c_model_pack(b->model, p.b, p.is_transposed, b->phase == &b->model->bind);
    kernel->packs_from = p.b;
    c_access_declare_packed(b, kernel->packs, arena_printf(b->model->arena, "%s_packed", p.b->name));
    packed = c_access_packed(b, kernel->packs);
  }
  if (type_of_row(b, &p, "begin"))
    emit_runs(b, &p, packed);
  else if (p.is_typed)
    emit_segments(b, &p, packed);
  else
    emit_blocks(b, &p, "begin", "end", packed, NULL);
}
