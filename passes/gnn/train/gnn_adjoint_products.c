/* Adjoints of products.
 *
 *   y[r] = x[r] @ W          dx[r] = dy[r] @ W^T,   dW = sum over rows of x[r]^T dy[r]
 *   y[e] = x[e] @ W[type(e)]                        dW[t] = the same sum over the edges of type t
 *
 * A sum over rows is gnn.contract, so that no row has a matrix of its own. */
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

#define OPERAND(op, name) o->operands[IR_IN(gnn, op, name)]

static bool has_rows(MlirValue value) {
  ir_kind kind = ir_type_of(value).kind;
  return kind == IR_KIND_node || kind == IR_KIND_edge || kind == IR_KIND_sparse || kind == IR_KIND_per;
}

static bool is_same_rows(MlirValue x, MlirValue y) {
  ir_type a = ir_type_of(x), b = ir_type_of(y);
  return a.kind == b.kind && a.set == b.set;
}

/* The operands of a product, of which one or both have rows. */
typedef struct product {
  gnn_adjoint *a;
  MlirValue x, w, d;
  bool is_transposed;
  unsigned kept; /* leading dimensions of w that are a batch */
} product;

/* The sum over rows of x^T d as [K, N], or [N, K] for a transposed w. Rows that do not depend on
 * trained values may be input features, which are sparse as the first operand alone. */
static MlirValue sum_of_outer(const product *p, const char *per, int64_t count) {
  bool is_first = !p->is_transposed || !gnn_adjoint_is_active(p->a, p->x);
  MlirValue sum = gnn_adjoint_contract(p->a, is_first ? p->x : p->d, is_first ? p->d : p->x, p->kept, per, count);
  return is_first && p->is_transposed ? gnn_adjoint_transpose(p->a, sum) : sum;
}

/* x^T d of plain values, or at each row or type: x [K] and d [N], or x [.., M, K] and d [.., M, N]. */
static MlirValue outer_here(const product *p) {
  ir_type type = ir_type_of(p->x);
  if (type.rank == 1) {
    const MlirValue operands[IR_MAX_OPERANDS] = {p->is_transposed ? p->d : p->x, p->is_transposed ? p->x : p->d};
    return ir_build_value(&p->a->b, IR_OP(gnn, outer), operands, NULL);
  }
  MlirValue left = p->is_transposed ? p->d : p->x, right = p->is_transposed ? p->x : p->d;
  if (!p->kept && type.rank > 2) { /* all leading dimensions are summed */
    ir_type a = ir_type_of(left), b = ir_type_of(right);
    const int64_t rows = ir_type_elements(a) / a.dims[a.rank - 1];
    left = gnn_adjoint_reshape(p->a, left, 2, (const int64_t[]){rows, a.dims[a.rank - 1]});
    right = gnn_adjoint_reshape(p->a, right, 2, (const int64_t[]){rows, b.dims[b.rank - 1]});
  }
  if (p->kept + 1 == type.rank) { /* [H, K] and [H, N]: a batch of single rows */
    ir_type a = ir_type_of(left), b = ir_type_of(right);
    left = gnn_adjoint_spread(p->a, left, b.dims[b.rank - 1]);
    int64_t strides[IR_MAX_RANK + 1] = {0}, dims[IR_MAX_RANK + 1], stride = b.dims[b.rank - 1];
    for (unsigned i = 0; i < a.rank; i++) dims[i] = a.dims[i];
    dims[a.rank] = stride;
    strides[a.rank] = 1;
    for (unsigned i = a.rank - 1; i-- > 0; stride *= b.dims[i]) strides[i] = stride;
    return gnn_adjoint_binary(p->a, IR_OP(gnn, multiply), left,
                              gnn_adjoint_view(p->a, right, a.rank + 1, dims, strides, 0));
  }
  return gnn_adjoint_linear(p->a, gnn_adjoint_transpose(p->a, left), right, false);
}

/* [H, M, K] as [H M, K]. */
static MlirValue merge_leading(gnn_adjoint *a, MlirValue x) {
  ir_type type = ir_type_of(x);
  const int64_t last = type.dims[type.rank - 1], dims[] = {ir_type_elements(type) / last, last};
  return gnn_adjoint_reshape(a, x, 2, dims);
}

/* Of a batch of matrices [H, M, K] @ [H, K, N] at each row: a sum over rows for each of H M, then over M. */
static MlirValue sum_of_matrices(product *p, const char *per, int64_t count) {
  ir_type w = ir_type_of(p->w), x = ir_type_of(p->x);
  int64_t rows = x.dims[x.rank - 2], size = w.dims[w.rank - 2] * w.dims[w.rank - 1];
  const int64_t dims[] = {ir_type_elements(w) / size, rows, size};
  p->x = merge_leading(p->a, p->x);
  p->d = merge_leading(p->a, p->d);
  MlirValue sum = gnn_adjoint_reshape(p->a, sum_of_outer(p, per, count), 3, dims);
  sum = gnn_adjoint_reduce(p->a, gnn_adjoint_transpose(p->a, sum), "sum");
  return gnn_adjoint_reshape(p->a, sum, w.rank, w.dims);
}

/* Of a matrix that an index picks at each row; false where it is none. */
static bool add_to_picked(const product *p) {
  MlirOperation lookup = gnn_producer(p->w, IR_OP(gnn, lookup));
  bool is_picked = !mlirOperationIsNull(lookup) && !p->kept && ir_type_of(p->x).rank == 1;
  if (!is_picked || !is_same_rows(p->w, p->d) || !is_same_rows(p->x, p->d) || !has_rows(p->d)) return false;
  gnn_adjoint_add_picked(p->a, lookup, p->is_transposed ? p->d : p->x, p->is_transposed ? p->x : p->d);
  return true;
}

static void add_to_weight(product *p) {
  if (add_to_picked(p)) return;
  MlirOperation slice = gnn_producer(p->w, IR_OP(gnn, slice));
  MlirValue table = mlirOperationIsNull(slice) ? p->w : ir_operand(slice, IR_IN(gnn, slice, value));
  bool is_typed = !mlirOperationIsNull(slice) && strcmp(ir_type_of(table).set, "graph") != 0;
  if (has_rows(p->d) && (is_typed || ir_type_of(p->w).kind == IR_KIND_plain)) {
    const char *per = is_typed ? ir_type_of(table).set : NULL;
    int64_t count = is_typed ? gnn_adjoint_count(p->a, table) : 0;
    bool is_matrices = p->kept && ir_type_of(p->x).rank == ir_type_of(p->w).rank;
    gnn_adjoint_add(p->a, table, is_matrices ? sum_of_matrices(p, per, count) : sum_of_outer(p, per, count));
    return;
  }
  gnn_adjoint_add(p->a, p->w, outer_here(p));
}

/* The sum of a value [..., N] over its leading dimensions. */
static MlirValue sum_leading(gnn_adjoint *a, MlirValue d) {
  ir_type type = ir_type_of(d);
  if (type.rank <= 1) return d;
  const int64_t last = type.dims[type.rank - 1], rows[] = {ir_type_elements(type) / last, last};
  return gnn_adjoint_reduce(a, gnn_adjoint_transpose(a, gnn_adjoint_reshape(a, d, 2, rows)), "sum");
}

void gnn_adjoint_of_linear(gnn_adjoint_op *o) {
  product p = {.a = o->a, .x = OPERAND(linear, x), .w = OPERAND(linear, w), .d = o->d};
  unsigned rank = ir_type_of(p.w).rank;
  p.is_transposed = ir_get_bool(o->op, "transposed");
  p.kept = rank > 2 ? rank - 2 : 0;
  if (gnn_adjoint_is_active(o->a, p.x))
    gnn_adjoint_add(o->a, p.x, gnn_adjoint_linear(o->a, o->d, p.w, !p.is_transposed));
  gnn_adjoint_add(o->a, OPERAND(linear, addend), o->d);
  if (gnn_adjoint_is_active(o->a, OPERAND(linear, bias)))
    gnn_adjoint_add(o->a, OPERAND(linear, bias), sum_leading(o->a, o->d));
  if (gnn_adjoint_is_active(o->a, p.w)) add_to_weight(&p);
}

/* Adds the sum over rows of d[r] b[r] to a plain value [..., K], where d is [...] and b [..., K]: as a
 * product of matrices, so that no row stores its terms. */
static void add_scaled_rows(gnn_adjoint_op *o, MlirValue value, MlirValue d, MlirValue b) {
  ir_type type = ir_type_of(b), scale = ir_type_of(d);
  scale.dims[scale.rank] = 1;
  MlirValue column = gnn_adjoint_reshape(o->a, d, scale.rank + 1, scale.dims);
  MlirValue sum = gnn_adjoint_contract(o->a, column, b, scale.rank > 0, NULL, 0);
  gnn_adjoint_add(o->a, value, gnn_adjoint_reshape(o->a, sum, type.rank, type.dims));
}

/* The shorter operand, [K] with [..., K]: its adjoint sums over the dimensions that it lacks. */
static void add_to_shorter(gnn_adjoint_op *o, MlirValue shorter, MlirValue longer) {
  ir_type type = ir_type_of(longer), own = ir_type_of(shorter);
  MlirValue terms = gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), longer, o->d); /* [..., K] */
  unsigned kept = own.rank - 1;
  int64_t dims[IR_MAX_RANK], rest = 1, last = type.dims[type.rank - 1];
  for (unsigned i = 0; i < kept; i++) dims[i] = type.dims[i];
  for (unsigned i = kept; i + 1 < type.rank; i++) rest *= type.dims[i];
  dims[kept] = rest;
  dims[kept + 1] = last;
  terms = gnn_adjoint_transpose(o->a, gnn_adjoint_reshape(o->a, terms, kept + 2, dims));
  gnn_adjoint_add(o->a, shorter, gnn_adjoint_reduce(o->a, terms, "sum"));
}

/* d [...] times the other operand: [..., K]; the longer one gets the shorter one repeated. */
static void add_to_longer(gnn_adjoint_op *o, MlirValue longer, MlirValue shorter) {
  ir_type type = ir_type_of(longer), own = ir_type_of(shorter);
  int64_t strides[IR_MAX_RANK] = {0}, stride = own.dims[own.rank - 1];
  strides[type.rank - 1] = 1;
  for (unsigned i = own.rank - 1; i-- > 0; stride *= own.dims[i]) strides[i] = stride;
  MlirValue repeated = gnn_adjoint_view(o->a, shorter, type.rank, type.dims, strides, 0);
  gnn_adjoint_add(o->a, longer, gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), repeated, o->d));
}

void gnn_adjoint_of_vector_inner(gnn_adjoint_op *o) {
  for (int i = 0; i < 2; i++) {
    MlirValue value = o->operands[i], other = o->operands[1 - i];
    if (!gnn_adjoint_is_active(o->a, value)) continue;
    unsigned rank = ir_type_of(value).rank, other_rank = ir_type_of(other).rank;
    bool is_summed = ir_type_of(value).kind == IR_KIND_plain && has_rows(o->d) && is_same_rows(other, o->d);
    if (rank < other_rank)
      add_to_shorter(o, value, other);
    else if (rank > other_rank)
      add_to_longer(o, value, other);
    else if (is_summed)
      add_scaled_rows(o, value, o->d, other);
    else
      gnn_adjoint_add(o->a, value, gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), other, o->d));
  }
}

void gnn_adjoint_of_outer(gnn_adjoint_op *o) {
  MlirValue a = o->operands[0], b = o->operands[1];
  if (gnn_adjoint_is_active(o->a, a))
    gnn_adjoint_add(
        o->a, a,
        gnn_adjoint_binary(o->a, IR_OP(gnn, vector_inner), o->d, gnn_adjoint_along_last(o->a, b, ir_type_of(o->d))));
  if (gnn_adjoint_is_active(o->a, b))
    gnn_adjoint_add(
        o->a, b,
        gnn_adjoint_reduce(o->a, gnn_adjoint_transpose(o->a, gnn_adjoint_binary(o->a, IR_OP(gnn, multiply), o->d, a)),
                           "sum"));
}

/* The sums that batch statistics are made of have one result and no outer products. */
void gnn_adjoint_of_contract(gnn_adjoint_op *o) {
  bool is_plain = ir_value_is_null(OPERAND(contract, a)) && ir_type_of(o->result).kind == IR_KIND_plain;
  if (is_plain)
    gnn_adjoint_add(o->a, OPERAND(contract, b), o->d);
  else
    gnn_adjoint_refuse(o->a, o->op, "a sum of outer products cannot be differentiated");
}
