/* Products whose rows are too wide for a block of them on the stack. They are computed in blocks of
 * columns, which are stored without an epilogue.
 *
 *   for (int64_t first = begin; first < end; first += 64) {
 *     ...
 *     for (int64_t j = 0, columns; j < 20000; j += columns) {
 *       columns = panel_columns(20000 - j);
 *       gemm_rows(last - first, 768, columns, rows, W_packed + j * 768, product, 64);
 *       for (int64_t n = first; n < last; n++) ...         z[n * 20000 + j ...] = product
 *     }
 *   }
 * inter-to-intra gives such products kernels of their own, so their epilogue only stores. */
#include "codegen/c/gemm/gemm_wide.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
#include "codegen/c/body/row.h"

/* Rows of a block: at least, and usually. Columns of the widest panel (panel_columns of
 * prelude/gemm.h). */
enum { SMALLEST_BLOCK = 8, BLOCK = 64, PANEL = 64 };

bool c_gemm_wide_is_needed(const c_product *p) {
  return p->reach > C_STACK_ELEMENTS / SMALLEST_BLOCK;
}

static bool is_store_of(MlirOperation op, MlirValue product) {
  return ir_op_kind(op) == IR_OP(intra, store) && mlirValueEqual(ir_operand(op, IR_IN(intra, store, value)), product);
}

static bool only_stores(c_body *b, const c_product *p) {
  IR_FOR_EACH_USE(use, p->value) {
    if (is_store_of(mlirOpOperandGetOwner(use), p->value)) continue;
    c_body_fail(b, p->op, DIAG_unsupported,
                "a row of this product has %lld numbers; the C target stores so many before it computes with them",
                (long long)(p->heads * p->width));
    return false;
  }
  return true;
}

/* Writes the stores of columns `from` .. `to` - 1 of the cursor's row, for all buffers to which the
 * product is stored. */
static void store_columns(c_body *b, const c_product *p, const char *head, const char *from, const char *to,
                          const char *product) {
  arena *a = b->model->arena;
  IR_FOR_EACH_OP(op, p->block) {
    if (!is_store_of(op, p->value)) continue;
    const c_parameter *buffer = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, store, buffer)));
    const char *row = c_row_at(b, buffer, ir_operand(op, IR_IN(intra, store, cursor)));
    if (head) row = arena_printf(a, "%s + %s * %lld", row, head, (long long)p->width);
    size_t mark = b->names.count;
    const char *to_row = c_names_add(&b->names, "y_row"), *q = c_names_add(&b->names, "q");
    const char *number = arena_printf(a, "%s[%s - %s]", product, q, from);
    number = buffer->buffer->is_bf16
                 ? arena_printf(a, "bf16_round(%s)", number)
                 : arena_printf(a, "%s%s", c_body_narrow(b, c_buffer_is_user(buffer->buffer)), number);
    c_writer_line(b->w, "%s *%s = %s;", c_buffer_type(buffer->buffer), to_row, row);
    c_writer_line(b->w, "%s %s[%s] = %s;", c_body_each_of(b, q, from, to), to_row, q, number);
    c_names_leave(&b->names, mark);
  }
}

/* Opens the loop over heads if there are several; returns its variable. */
static const char *open_heads(c_body *b, const c_product *p) {
  if (p->heads == 1) return NULL;
  const char *h = c_names_add(&b->names, "h");
  c_writer_open_count(b->w, h, p->heads);
  return h;
}

static const char *open_rows(c_body *b, const c_stretch *s, const char *from, const char *to, const char **i) {
  const char *n = c_names_add(&b->names, "n");
  *i = s->order ? c_names_add(&b->names, "i") : n;
  c_writer_open_loop(b->w, *i, from, to);
  if (s->order) c_writer_line(b->w, "const int64_t %s = %s[%s];", n, s->order, *i);
  s->product->at->text = n;
  return n;
}

static const char *of_head(c_body *b, const char *base, const char *head, int64_t size) {
  return head && size ? arena_printf(b->model->arena, "%s + %s * %lld", base, head, (long long)size) : base;
}

/* Writes plain loops over B without packing. */
static void emit_plain(c_body *b, const c_stretch *s) {
  const c_product *p = s->product;
  long long depth = (long long)p->depth, width = (long long)p->width;
  c_mark mark = c_nest_mark(b);
  const char *i, *n = open_rows(b, s, s->from, s->to, &i), *h = open_heads(b, p);
  const char *x = c_names_add(&b->names, "x_row"), *w = c_names_add(&b->names, "w");
  c_product_declare_row(b, p, x, of_head(b, c_product_row(b, p, n), h, p->depth), p->depth);
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(p->b), w,
                of_head(b, s->matrix, h, p->is_batch ? p->depth * p->width : 0));
  const char *j = c_names_add(&b->names, "j"), *stop = c_names_add(&b->names, "stop");
  const char *y = c_names_add(&b->names, "product"), *k = c_names_add(&b->names, "k"), *q = c_names_add(&b->names, "q");
  c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld; %s += %d)", j, j, width, j, PANEL);
  c_writer_line(b->w, "const int64_t %s = chunk_end(%s, %d, %lld);", stop, j, PANEL, width);
  c_writer_line(b->w, "real %s[%d] = {0};", y, PANEL);
  c_writer_open_count(b->w, k, p->depth);
  const char *element = p->is_transposed ? arena_printf(b->model->arena, "%s * %lld + %s", q, depth, k)
                                         : arena_printf(b->model->arena, "%s * %lld + %s", k, width, q);
  c_writer_line(b->w, "%s %s[%s - %s] += %s%s[%s] * %s[%s];", c_body_each_of(b, q, j, stop), y, q, j,
                c_body_widen(b, true), x, k, w, element);
  c_writer_close(b->w);
  p->at->text = n;
  store_columns(b, p, h, j, stop, y);
  c_nest_leave(b, mark);
}

/* Writes the loop over the panels of B for the rows of a block. */
static void emit_panels(c_body *b, const c_stretch *s, const char *first, const char *last, const char *rows,
                        const char *packed, const char *head) {
  long long depth = (long long)s->product->depth, width = (long long)s->product->width;
  const char *y = c_names_add(&b->names, "product"), *j = c_names_add(&b->names, "j");
  const char *columns = c_names_add(&b->names, "columns"), *stop = c_names_add(&b->names, "stop"), *i;
  c_writer_line(b->w, "real %s[%d * %d];", y, BLOCK, PANEL);
  c_mark mark = c_nest_mark(b);
  c_writer_open(b->w, "for (int64_t %s = 0, %s; %s < %lld; %s += %s)", j, columns, j, width, j, columns);
  c_writer_line(b->w, "%s = panel_columns(%lld - %s);", columns, width, j);
  c_writer_line(b->w, "const int64_t %s = chunk_end(%s, %s, %lld);", stop, j, columns, width);
  c_writer_line(b->w, "gemm_rows(%s - %s, %lld, %s, %s, %s + %s * %lld, %s, %d);", last, first, depth, columns, rows,
                packed, j, depth, y, PANEL);
  open_rows(b, s, first, last, &i);
  const char *product = arena_printf(b->model->arena, "(%s + (%s - %s) * %d)", y, i, first, PANEL);
  store_columns(b, s->product, head, j, stop, product);
  c_nest_leave(b, mark);
}

static void emit_blocks(c_body *b, const c_stretch *s) {
  const c_product *p = s->product;
  c_mark mark = c_nest_mark(b);
  const char *first = c_names_add(&b->names, "first"), *last = c_names_add(&b->names, "last");
  const char *rows = c_names_add(&b->names, "rows"), *i = c_names_add(&b->names, "i");
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s += %d)", first, s->from, first, s->to, first, BLOCK);
  c_writer_line(b->w, "const int64_t %s = chunk_end(%s, %d, %s);", last, first, BLOCK, s->to);
  c_product_declare_rows(b, p, rows, BLOCK);
  const char *h = open_heads(b, p);
  const char *number = s->order ? arena_printf(b->model->arena, "%s[%s]", s->order, i) : i;
  const char *row = of_head(b, c_product_row(b, p, number), h, p->depth);
  c_product_emit_rows(b, p, rows, i, first, last, row);
  emit_panels(b, s, first, last, rows, of_head(b, s->matrix, h, p->is_batch ? p->depth * p->padded : 0), h);
  c_nest_leave(b, mark);
}

/* Whether the epilogue has operations other than the store of the product. */
static bool has_other_work(const c_product *p) {
  MlirOperation end = ir_block_terminator(p->block);
  IR_FOR_EACH_OP(op, p->block)
    if (!mlirOperationEqual(op, end) && !is_store_of(op, p->value)) return true;
  return false;
}

/* Writes these operations, which do not depend on the product. */
static void emit_other_work(c_body *b, const c_stretch *s) {
  c_mark mark = c_nest_mark(b);
  const char *i;
  open_rows(b, s, s->from, s->to, &i);
  IR_FOR_EACH_OP(op, s->product->block)
    if (!b->failed && !is_store_of(op, s->product->value)) c_body_emit_operation(b, op);
  c_nest_leave(b, mark);
}

void c_gemm_wide_emit(c_body *b, const c_stretch *s) {
  if (!only_stores(b, s->product)) return;
  if (s->product->is_plain)
    emit_plain(b, s);
  else
    emit_blocks(b, s);
  if (has_other_work(s->product)) emit_other_work(b, s);
}
