/* The GEMM template: blocks of rows times a packed matrix, then the epilogue for each row.
 *
 *   for (int64_t first = begin; first < end; first += 64) {
 *     real product[64 * 16];
 *     gemm_rows(last - first, 1433, 16, rows, w, product, 16);
 *     for (int64_t n = first; n < last; n++) { const real *z = product + (n - first) * 16; ... }
 *   } */
#include "codegen/c/gemm_wide.h"
#include "codegen/c/kernel.h"

/* Rows of a block, whose products take a quarter of the stack if they can: panels of B come from the second-level cache once
 * for so many. */
enum { SMALLEST_BLOCK = 8, USUAL_BLOCK = 64, LARGEST_BLOCK = 256 };

int64_t c_gemm_padded(int64_t width) {
  int64_t rest = width % 48;
  return width - rest + (!rest ? 0 : rest <= 8 ? 8 : (rest + 15) / 16 * 16);
}

/* One product per row by plain loops: where A is float but real is double, or B is not ours to pack. */
static void emit_plain(c_body *b, c_kernel *kernel, c_value *cursor, const c_parameter *x, const char *w,
                       MlirValue product, int64_t rows, int64_t depth, int64_t width) {
  MlirValue row_cursor = mlirBlockGetArgument(ir_region_block(kernel->op), 0);
  const char *n = c_names_add(&b->names, "n");
  cursor->text = n;
  c_writer_open(b->w, "for (int64_t %s = begin; %s < end; %s++)", n, n, n);
  const char *x_row = c_names_add(&b->names, "x_row"), *y = c_names_add(&b->names, "product");
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(x->buffer), x_row, c_access_row(b, x, row_cursor));
  int64_t products = rows * width;
  c_writer_line(b->w, "real %s[%lld];", y, (long long)products);
  c_linear_product(b, x_row, w, (c_target){.base = y}, rows, depth, width, ir_get_bool(kernel->op, "transposed"));
  c_body_define(b, product, C_FORM_memory, y);
  c_body_emit_block(b, ir_region_block(kernel->op));
  c_writer_close(b->w);
}

/* Numbers that the products of one row take. */
static int64_t reach(int64_t rows, int64_t width) {
  return (rows - 1) * width + c_gemm_padded(width);
}

static int64_t block_rows(int64_t rows, int64_t width) {
  int64_t fit = C_STACK_ELEMENTS / reach(rows, width), most = fit / 4 < USUAL_BLOCK ? USUAL_BLOCK : fit / 4;
  if (most > LARGEST_BLOCK) most = LARGEST_BLOCK;
  return (fit < most ? fit : most) / SMALLEST_BLOCK * SMALLEST_BLOCK;
}

static void emit_blocked(c_body *b, MlirOperation op, c_value *cursor, const c_parameter *x, const char *packed,
                         MlirValue product, MlirBlock block, int64_t rows, int64_t depth, int64_t width) {
  MlirValue row_cursor = mlirBlockGetArgument(block, 0);
  /* The columns that B is padded with are written behind a row's last product. */
  long long stride = (long long)reach(rows, width), size = block_rows(rows, width);
  const char *start = c_names_add(&b->names, "first"), *last = c_names_add(&b->names, "last");
  const char *list = c_names_add(&b->names, "rows"), *y = c_names_add(&b->names, "product");
  const char *l = c_names_add(&b->names, "l"), *r = c_names_add(&b->names, "r");
  c_writer_open(b->w, "for (int64_t %s = begin; %s < end; %s += %lld)", start, start, start, size);
  c_writer_line(b->w, "const int64_t %s = %s + %lld < end ? %s + %lld : end;", last, start, size, start, size);
  c_writer_line(b->w, "const %s *%s[%lld];", c_buffer_type(x->buffer), list, size);
  bool is_all = false;
  const c_parameter *direct = c_gemm_direct(b, op, stride, &is_all);
  cursor->text = start;
  if (direct)
    y = c_access_row(b, direct, row_cursor);
  else
    c_writer_line(b->w, "real %s[%lld * %lld];", y, size, stride);
  if (rows > 1) c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld; %s++)", l, l, (long long)rows, l);
  cursor->text = r;
  const char *row = c_access_row(b, x, row_cursor);
  if (rows > 1) row = arena_printf(b->model->arena, "%s + %s * %lld", row, l, (long long)depth);
  c_writer_line(b->w, "for (int64_t %s = %s; %s < %s; %s++) %s[%s - %s] = %s;", r, start, r, last, r, list, r, start,
                row);
  const char *at = rows > 1 ? arena_printf(b->model->arena, "%s + %s * %lld", y, l, (long long)width) : y;
  c_writer_line(b->w, "gemm_rows(%s - %s, %lld, %lld, %s, %s, %s, %lld);", last, start, (long long)depth,
                (long long)width, list, packed, at, stride);
  if (rows > 1) c_writer_close(b->w);
  if (is_all) {
    c_writer_close(b->w);
    return;
  }
  const char *n = c_names_add(&b->names, "n");
  cursor->text = n;
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s++)", n, start, n, last, n);
  const char *value = c_names_add(&b->names, "y");
  if (direct)
    c_writer_line(b->w, "const real *%s = %s;", value, c_access_row(b, direct, row_cursor));
  else
    c_writer_line(b->w, "const real *%s = %s + (%s - %s) * %lld;", value, y, n, start, stride);
  c_body_define(b, product, C_FORM_memory, value)->home = direct ? direct->buffer : NULL;
  c_body_emit_block(b, block);
  c_writer_close(b->w);
  c_writer_close(b->w);
}

typedef struct own_row {
  c_value *cursor;
  const c_parameter *x;
  MlirValue at;
} own_row;

static const char *row_of(c_body *b, const void *product, const char *n) {
  const own_row *own = product;
  own->cursor->text = n;
  return c_access_row(b, own->x, own->at);
}

void c_gemm_emit(c_body *b, c_kernel *kernel) {
  MlirOperation op = kernel->op;
  if (c_typed_gemm_takes(b, op)) {
    c_typed_gemm_emit(b, kernel);
    return;
  }
  const c_parameter *x = c_access_buffer(b, ir_operand(op, IR_IN(intra, gemm, a)));
  const c_buffer *w = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, gemm, b)));
  MlirBlock block = ir_region_block(op);
  MlirValue product = mlirBlockGetArgument(block, 1);
  ir_type a_type = x->buffer->type, type = ir_type_of(product);
  int64_t depth = a_type.dims[a_type.rank - 1], width = type.dims[type.rank - 1];
  int64_t rows = ir_type_elements(a_type) / depth;
  c_value *cursor = c_body_define(b, mlirBlockGetArgument(block, 0), C_FORM_cursor, "n");
  cursor->set = kernel->set >= 0 ? kernel->set : 0;
  bool is_plain = (b->model->options->is_f64 && c_buffer_is_user(x->buffer)) || c_buffer_is_user(w);
  const char *matrix;
  if (is_plain) {
    matrix = c_access_buffer(b, w->value)->name;
  } else {
    kernel->packs = c_model_pack(b->model, w, ir_get_bool(op, "transposed"), b->phase == &b->model->bind);
    kernel->packs_from = w;
    c_access_declare_packed(b, kernel->packs, arena_printf(b->model->arena, "%s_packed", w->name));
    matrix = c_access_packed(b, kernel->packs);
  }
  if (c_gemm_is_wide(reach(rows, width))) {
    own_row own = {cursor, x, mlirBlockGetArgument(block, 0)};
    c_wide wide = {.op = op, .at = cursor, .from = "begin", .to = "end", .a = x->buffer, .b = w, .matrix = matrix};
    wide.heads = rows, wide.depth = depth, wide.width = width;
    wide.is_plain = is_plain, wide.is_transposed = ir_get_bool(op, "transposed");
    wide.row = row_of, wide.product = &own;
    c_gemm_wide_emit(b, &wide);
  } else if (is_plain) {
    emit_plain(b, kernel, cursor, x, matrix, product, rows, depth, width);
  } else {
    emit_blocked(b, op, cursor, x, matrix, product, block, rows, depth, width);
  }
}
