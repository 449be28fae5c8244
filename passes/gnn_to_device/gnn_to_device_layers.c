/* gnn-to-device: products become GEMM, or SpDMM for sparse features.
 *
 *   linear(%x[K], %w[K, N], %b)               becomes   gemm(%x, %w, bias = %b)
 *   linear(%x[K], slice(%g, %w)[K, N])        becomes   gemm(%x, %w per type): rows are ordered by type
 *   linear(%x[H, K], %w[H, K, N])             becomes   gemm with the block-diagonal [H K, H N] that the host makes of %w
 *   linear(%x sparse, %w)                     becomes   spdmm over the stored entries, whose sources are the rows of %w
 *   vector_inner(%z[H, C], %u[H, C])          becomes   gemm with a [H C, H] that holds %u in its blocks
 *   linear(%x[K], %w[K, N] of run time)       becomes   product(%x, %w), which the host computes
 *   a product of two values of the model      becomes   columns repeated, multiplied, and summed by a product */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* The shapes of a product: x[b, m, k] @ w[b, k, n] = result[b, m, n]. */
typedef struct product {
  int64_t b, m, k, n;
} product;

static product product_of(MlirOperation op) {
  ir_type x = ir_type_of(ir_operand(op, IR_IN(gnn, linear, x))), w = ir_type_of(ir_operand(op, IR_IN(gnn, linear, w)));
  ir_type y = ir_type_of(ir_result(op));
  product p = {.b = 1, .k = x.dims[x.rank - 1], .n = y.dims[y.rank - 1]};
  for (unsigned i = 0; i + 2 < w.rank; i++) p.b *= w.dims[i];
  p.m = ir_type_elements(x) / p.k / p.b;
  return p;
}

static MlirValue binary(to_device *l, ir_op op, MlirValue a, MlirValue b) {
  if (ir_value_is_null(a) || ir_value_is_null(b)) return (MlirValue){NULL};
  MlirValue made = gnn_build_binary(&l->b, op, a, b);
  if (ir_value_is_null(made)) l->ok = false;
  return made;
}

static MlirValue transposed(to_device *l, MlirValue x) {
  return ir_value_is_null(x) ? x : gnn_build_unary(&l->b, IR_OP(gnn, transpose), x);
}

/* The matrix [B M K, B M N] with w[b] in block (b, m) of its diagonal. */
static MlirValue block_diagonal(to_device *l, MlirValue w, product p) {
  int64_t blocks = p.b * p.m;
  const int64_t flat[] = {p.b * p.k, p.n};
  w = to_device_reshape(l, w, 2, flat);
  if (p.m > 1) {
    to_device_selection rows = {.rows = p.b * p.k, .rank = 3, .shape = {p.b, p.m, p.k}, .strides = {p.k, 0, 1}};
    w = binary(l, IR_OP(gnn, linear), transposed(l, to_device_build_selection(l, rows)), w);
  }
  to_device_selection tiles = {.rows = p.n, .rank = 2, .shape = {blocks, p.n}, .strides = {0, 1}};
  w = binary(l, IR_OP(gnn, linear), w, to_device_build_selection(l, tiles));
  to_device_selection down = {.rows = blocks, .rank = 2, .shape = {blocks, p.k}, .strides = {1, 0}}, across = down;
  across.shape[1] = p.n;
  MlirValue left = transposed(l, to_device_build_selection(l, down)), right = to_device_build_selection(l, across);
  MlirValue mask = binary(l, IR_OP(gnn, linear), left, right);
  return binary(l, IR_OP(gnn, multiply), w, mask);
}

/* The matrix by which flattened rows are multiplied; `*is_transposed` says how it is stored. */
static MlirValue matrix_of(to_device *l, MlirValue w, product p, bool *is_transposed) {
  ir_type type = ir_type_of(w);
  if (p.b * p.m == 1) return to_device_reshape(l, w, 2, type.dims + type.rank - 2);
  if (*is_transposed) w = transposed(l, w);
  *is_transposed = false;
  return block_diagonal(l, w, p);
}

/* ---- sparse features ---- */

static MlirValue sparse_product(to_device *l, MlirOperation op, MlirValue w) {
  if (ir_get_bool(op, "transposed")) w = transposed(l, w);
  const ir_attr set[] = {{"set", ir_attr_string(l->p->context, "columns")}, {NULL, {NULL}}};
  if (ir_value_is_null(w)) return w;
  MlirValue rows = ir_build_value(&l->b, IR_OP(device, constant), &w, set);
  MlirValue x = ir_operand(op, IR_IN(gnn, linear, x));
  MlirValue edge_list = to_device_list_edges(l, (to_device_edge_list_spec){.kind = "nonzeros", .of = x});
  pass_remark(l->p, op, "%s is an SpDMM over the stored entries of the features",
              gnn_describe_value(l->p, ir_result(op)));
  return to_device_spdmm(l, edge_list, rows, (MlirValue){NULL}, "sum");
}

/* ---- products of two values that depend on inputs ---- */

static MlirValue repeated(to_device *l, MlirValue v, ir_type domain, const int64_t *shape, const int64_t *strides) {
  to_device_selection s = {.rows = ir_type_elements(ir_type_of(v)), .rank = 4};
  memcpy(s.shape, shape, 4 * sizeof *shape);
  memcpy(s.strides, strides, 4 * sizeof *strides);
  return to_device_select(l, to_device_rows_in(l, v, domain), s);
}

static MlirValue general_product(to_device *l, MlirOperation op, product p) {
  ir_type result = ir_type_of(ir_result(op));
  const int64_t shape[] = {p.b, p.m, p.k, p.n}, of_x[] = {p.m * p.k, p.k, 1, 0};
  const int64_t of_w[] = {p.k * p.n, 0, p.n, 1}, of_transposed[] = {p.k * p.n, 0, 1, p.k};
  MlirValue x = repeated(l, ir_operand(op, IR_IN(gnn, linear, x)), result, shape, of_x);
  MlirValue w = repeated(l, ir_operand(op, IR_IN(gnn, linear, w)), result, shape,
                         ir_get_bool(op, "transposed") ? of_transposed : of_w);
  MlirValue products = to_device_vadd(l, "mul", x, w, (MlirValue){NULL});
  pass_remark(l->p, op, "%s has a matrix of its own for each row: it is multiplied element by element",
              gnn_describe_value(l->p, ir_result(op)));
  return to_device_place(
      l, products,
      (to_device_selection){
          .rows = p.b * p.m * p.n, .rank = 4, .shape = {p.b, p.m, p.k, p.n}, .strides = {p.m * p.n, p.n, 0, 1}});
}

/* ---- linear ---- */

static bool is_typed_like(MlirValue bias, MlirValue w) {
  ir_type a = ir_type_of(bias), b = ir_type_of(w);
  return a.kind == IR_KIND_plain || (b.kind == IR_KIND_per && a.kind == IR_KIND_per && !strcmp(a.set, b.set));
}

static to_device_selection along_last(int64_t rows, int64_t last) {
  return (to_device_selection){.rows = last, .rank = 2, .shape = {rows, last}, .strides = {0, 1}};
}

/* A constant that can be the bias of a product with `w` (null: of a sum), repeated over leading
 * dimensions; null where it cannot. */
static MlirValue as_bias(to_device *l, MlirValue v, MlirValue w, int64_t width) {
  MlirValue none = {NULL};
  if (ir_value_is_null(v)) return v;
  MlirValue table = to_device_table(l, v);
  if (ir_value_is_null(table)) return none;
  bool fits = ir_value_is_null(w) ? ir_type_of(table).kind == IR_KIND_plain : is_typed_like(table, w);
  int64_t last = ir_type_elements(ir_type_of(table));
  if (!fits) return none;
  return last == width ? to_device_flat(l, table) : to_device_select_constant(l, table, along_last(width / last, last));
}

/* y + v, where v has the shape of y or is aligned with its last dimension. */
static MlirValue add_rows(to_device *l, MlirValue y, MlirValue v, ir_type result) {
  if (ir_value_is_null(v) || ir_value_is_null(y)) return y;
  int64_t width = ir_type_elements(result), last = ir_type_elements(ir_type_of(v));
  MlirValue rows = to_device_rows_in(l, v, result);
  if (last != width) rows = to_device_select(l, rows, along_last(width / last, last));
  return to_device_combine(l, "add", y, result, rows, result, result);
}

/* The columns of a merged product. Its bias is part of it, unless a sum over edges is added; that
 * sum then begins with these columns. */
static MlirValue lower_window(to_device *l, MlirOperation op, MlirValue window) {
  MlirValue bias = ir_operand(op, IR_IN(gnn, linear, bias)), addend = ir_operand(op, IR_IN(gnn, linear, addend));
  if (ir_value_is_null(addend)) return window;
  MlirValue y = add_rows(l, window, addend, ir_type_of(ir_result(op))), none = {NULL};
  if (ir_value_is_null(y) || ir_value_is_null(bias)) return y;
  MlirValue fused = to_device_fuse_bias(l, y, to_device_flat(l, bias));
  return ir_value_is_null(fused) ? to_device_vadd(l, "add", y, to_device_flat(l, bias), none) : fused;
}

static MlirValue lower_linear(to_device *l, MlirOperation op) {
  MlirValue window = to_device_merged(l, op);
  if (!ir_value_is_null(window)) return lower_window(l, op, window);
  MlirValue x = ir_operand(op, IR_IN(gnn, linear, x)), w = ir_operand(op, IR_IN(gnn, linear, w));
  MlirValue bias = ir_operand(op, IR_IN(gnn, linear, bias)), addend = ir_operand(op, IR_IN(gnn, linear, addend));
  ir_type result = ir_type_of(ir_result(op));
  product p = product_of(op);
  MlirValue table = to_device_table(l, w), none = {NULL}, y;
  bool is_transposed = ir_get_bool(op, "transposed"),
       is_plain = !ir_value_is_null(table) && ir_type_of(table).kind == IR_KIND_plain;
  MlirValue picked = to_device_picked_product(l, op);
  if (!ir_value_is_null(picked)) {
    y = picked;
    table = none;
  } else if (is_plain && ir_type_of(x).kind == IR_KIND_sparse && p.b * p.m == 1) {
    y = sparse_product(l, op, table);
    table = none;
  } else if (ir_value_is_null(table) && ir_type_of(w).kind == IR_KIND_plain && p.b * p.m == 1) {
    pass_remark(l->p, op, "%s has a matrix that depends on inputs: the host multiplies it",
                gnn_describe_value(l->p, ir_result(op)));
    MlirValue rows = to_device_rows_in(l, x, result), matrix = to_device_rows(l, w);
    y = to_device_product(l, rows, matrix, is_transposed);
  } else if (ir_value_is_null(table)) {
    y = general_product(l, op, p);
  } else {
    MlirValue rows = to_device_rows_in(l, x, result), matrix = matrix_of(l, table, p, &is_transposed);
    y = to_device_gemm(l, rows, matrix, none, none, is_transposed);
  }
  int64_t width = ir_type_elements(result);
  MlirValue first = as_bias(l, bias, table, width);
  if (!ir_value_is_null(first)) bias = none;
  if (ir_value_is_null(first) && ir_value_is_null(bias)) {
    first = as_bias(l, addend, table, width);
    if (!ir_value_is_null(first)) addend = none;
  }
  if (!ir_value_is_null(first) && !ir_value_is_null(y)) {
    MlirValue fused = to_device_fuse_bias(l, y, first);
    y = ir_value_is_null(fused) ? to_device_vadd(l, "add", y, first, none) : fused;
  }
  return add_rows(l, add_rows(l, y, bias, result), addend, result);
}

/* ---- inner products ---- */

/* The selection that aligns [.., K] with [L, K] by the leading dimensions without K. */
static to_device_selection contraction(int64_t from, int64_t rows, int64_t k) {
  return (to_device_selection){.rows = from * k, .rank = 3, .shape = {from, rows / from, k}, .strides = {k, 0, 1}};
}

/* The selection that, read transposed, sums [L, K] over K. */
static to_device_selection summing(int64_t rows, int64_t k) {
  return (to_device_selection){.rows = rows, .rank = 2, .shape = {rows, k}, .strides = {1, 0}};
}

static MlirValue inner_rows(to_device *l, MlirValue v, ir_type result, int64_t rows, int64_t k) {
  int64_t from = ir_type_elements(ir_type_of(v)) / k;
  MlirValue x = to_device_rows_in(l, v, result);
  return from == rows ? x : to_device_select(l, x, contraction(from, rows, k));
}

/* The matrix [L K, L] by which flattened rows are multiplied, from a constant vector for each row
 * of [L, K]. */
static MlirValue inner_matrix(to_device *l, MlirValue table, int64_t rows, int64_t k) {
  int64_t from = ir_type_elements(ir_type_of(table)) / k;
  MlirValue vector =
      from == rows ? to_device_flat(l, table) : to_device_select_constant(l, table, contraction(from, rows, k));
  const int64_t column[] = {k, 1};
  if (rows == 1) return to_device_reshape(l, vector, 2, column);
  return binary(l, IR_OP(gnn, multiply), vector, transposed(l, to_device_build_selection(l, summing(rows, k))));
}

static MlirValue lower_inner(to_device *l, MlirOperation op) {
  MlirValue window = to_device_merged(l, op), none = {NULL};
  if (!ir_value_is_null(window)) return window;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  ir_type result = ir_type_of(ir_result(op)), a_type = ir_type_of(a);
  int64_t rows = ir_type_elements(result), k = a_type.dims[a_type.rank - 1];
  MlirValue table = to_device_table(l, b), x = a;
  if (ir_value_is_null(table)) {
    table = to_device_table(l, a);
    x = b;
  }
  if (ir_value_is_null(table)) {
    MlirValue left = inner_rows(l, a, result, rows, k), right = inner_rows(l, b, result, rows, k);
    return to_device_place(l, to_device_vadd(l, "mul", left, right, none), summing(rows, k));
  }
  MlirValue matrix = inner_matrix(l, table, rows, k);
  return to_device_gemm(l, inner_rows(l, x, result, rows, k), matrix, none, none, false);
}

MlirValue to_device_product_matrix(to_device *l, MlirOperation op, bool *is_transposed) {
  if (ir_op_kind(op) == IR_OP(gnn, linear)) {
    *is_transposed = ir_get_bool(op, "transposed");
    return matrix_of(l, ir_operand(op, IR_IN(gnn, linear, w)), product_of(op), is_transposed);
  }
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  ir_type type = ir_type_of(a);
  MlirValue table = to_device_is_constant(l, a) ? a : b;
  *is_transposed = false;
  return inner_matrix(l, table, ir_type_elements(ir_type_of(ir_result(op))), type.dims[type.rank - 1]);
}

/* ---- normalisation ---- */

/* A coefficient of the last dimension as rows. */
static MlirValue coefficient_rows(to_device *l, MlirValue v, ir_type result) {
  int64_t width = ir_type_elements(result), last = ir_type_elements(ir_type_of(v));
  MlirValue rows = to_device_rows_in(l, v, result);
  return last == width ? rows : to_device_select(l, rows, along_last(width / last, last));
}

static MlirValue lower_batch_norm(to_device *l, MlirOperation op) {
  MlirValue c[IR_MAX_OPERANDS], none = {NULL};
  ir_operands(op, c);
  ir_type result = ir_type_of(ir_result(op));
  MlirValue x = to_device_rows(l, c[0]);
  double epsilon = ir_get_float(op, "epsilon", 0);
  bool is_constant = true;
  for (unsigned i = 1; i <= IR_IN(gnn, batch_norm, beta); i++)
    is_constant = is_constant && to_device_is_constant(l, c[i]);
  if (!is_constant) {
    MlirValue deviation = to_device_map_number(l, coefficient_rows(l, c[2], result), "add_constant", epsilon);
    x = to_device_vadd(l, "sub", x, coefficient_rows(l, c[1], result), none);
    x = to_device_vadd(l, "div", x, to_device_map(l, deviation, "sqrt"), none);
    x = to_device_vadd(l, "mul", x, coefficient_rows(l, c[3], result), none);
    return to_device_vadd(l, "add", x, coefficient_rows(l, c[4], result), none);
  }
  MlirValue deviation = binary(l, IR_OP(gnn, vector_add), c[2], gnn_build_constant(&l->b, epsilon));
  MlirValue scale = binary(l, IR_OP(gnn, divide), c[3], gnn_build_activation(&l->b, deviation, "sqrt"));
  MlirValue shift = binary(l, IR_OP(gnn, subtract), c[4], binary(l, IR_OP(gnn, multiply), c[1], scale));
  if (ir_value_is_null(x)) return x;
  x = to_device_vadd(l, "mul", x, as_bias(l, scale, none, to_device_width(x)), none);
  return to_device_vadd(l, "add", x, as_bias(l, shift, none, ir_type_elements(result)), none);
}

static MlirValue lower_row_normalize(to_device *l, MlirOperation op) {
  MlirValue v = mlirOperationGetOperand(op, 0), x = to_device_rows(l, v);
  ir_type type = ir_type_of(v), sums = type;
  int64_t k = type.dims[type.rank - 1];
  sums.rank--;
  MlirValue s = to_device_divisor(l, to_device_place(l, x, summing(ir_type_elements(type) / k, k)));
  return to_device_combine(l, "div", x, type, s, sums, type);
}

bool to_device_layer(to_device *l, MlirOperation op) {
  MlirValue made;
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, linear): made = lower_linear(l, op); break;
  case IR_OP(gnn, vector_inner): made = lower_inner(l, op); break;
  case IR_OP(gnn, batch_norm): made = lower_batch_norm(l, op); break;
  case IR_OP(gnn, densify): made = to_device_rows(l, mlirOperationGetOperand(op, 0)); break;
  case IR_OP(gnn, row_normalize):
    if (ir_type_of(ir_result(op)).kind == IR_KIND_sparse) return true; /* the entries become an edge list */
    made = lower_row_normalize(l, op);
    break;
  default: return false;
  }
  to_device_bind(l, ir_result(op), to_device_activate(l, op, made));
  return true;
}
