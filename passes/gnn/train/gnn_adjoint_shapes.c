/* Adjoints of operations that move the elements of a row. */
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/gnn/rules/gnn_rewrite.h"

static MlirValue columns(const gnn_adjoint *a, MlirValue x, int64_t begin, int64_t width) {
  ir_attr attributes[] = {
      {"begin", ir_attr_integer(a->b.context, begin)}, {"width", ir_attr_integer(a->b.context, width)}, {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, columns), &x, attributes);
}

static int64_t last_of(MlirValue value) {
  ir_type type = ir_type_of(value);
  return type.dims[type.rank - 1];
}

void gnn_adjoint_of_concat(gnn_adjoint_op *o) {
  int64_t width = last_of(o->operands[0]);
  if (gnn_adjoint_is_active(o->a, o->operands[0])) gnn_adjoint_add(o->a, o->operands[0], columns(o->a, o->d, 0, width));
  if (gnn_adjoint_is_active(o->a, o->operands[1]))
    gnn_adjoint_add(o->a, o->operands[1], columns(o->a, o->d, width, last_of(o->operands[1])));
}

/* x with `before` and `behind` zeros around its last dimension. */
static MlirValue pad_last(const gnn_adjoint *a, MlirValue x, int64_t before, int64_t behind) {
  ir_type type = ir_type_of(x);
  const int64_t sides[] = {before, behind};
  for (int i = 0; i < 2; i++) {
    if (!sides[i]) continue;
    type.dims[type.rank - 1] = sides[i];
    MlirValue zeros = gnn_adjoint_zeros(a, type.rank, type.dims);
    x = i ? gnn_adjoint_binary(a, IR_OP(gnn, concat), x, zeros) : gnn_adjoint_binary(a, IR_OP(gnn, concat), zeros, x);
  }
  return x;
}

void gnn_adjoint_of_columns(gnn_adjoint_op *o) {
  int64_t begin = ir_get_integer(o->op, "begin", 0), width = ir_get_integer(o->op, "width", 0);
  MlirValue x = o->operands[0];
  gnn_adjoint_add(o->a, x, pad_last(o->a, o->d, begin, last_of(x) - begin - width));
}

void gnn_adjoint_of_reshape(gnn_adjoint_op *o) {
  ir_type type = ir_type_of(o->operands[0]);
  gnn_adjoint_add(o->a, o->operands[0], gnn_adjoint_reshape(o->a, o->d, type.rank, type.dims));
}

void gnn_adjoint_of_transpose(gnn_adjoint_op *o) {
  gnn_adjoint_add(o->a, o->operands[0], gnn_adjoint_transpose(o->a, o->d));
}

/* ---- views ---- */

/* A view as a box of x: for each dimension of x the dimension of the view that runs through it. */
typedef struct box {
  unsigned rank;              /* of x */
  int64_t dims[IR_MAX_RANK];  /* of x */
  int64_t first[IR_MAX_RANK]; /* where the box begins */
  int from[IR_MAX_RANK];      /* the dimension of the view; -1: the box is one element wide there */
  bool is_sum[IR_MAX_RANK];   /* of the view: it repeats elements */
} box;

/* Finds the box; false where the view is none, which subscripts, permutations and repetitions never
 * make. */
static bool find_box(MlirOperation op, ir_type x, ir_type y, box *out) {
  *out = (box){.rank = x.rank};
  int64_t begin = ir_get_integer(op, "begin", 0), stride = ir_type_elements(x);
  for (unsigned i = 0; i < y.rank; i++) out->is_sum[i] = ir_get_integer_at(op, "strides", i) == 0 && y.dims[i] > 1;
  bool is_used[IR_MAX_RANK] = {false};
  for (unsigned j = 0; j < x.rank; j++) {
    stride /= x.dims[j];
    out->dims[j] = x.dims[j];
    out->first[j] = begin / stride;
    begin %= stride;
    out->from[j] = -1;
    for (unsigned i = 0; i < y.rank && out->from[j] < 0; i++)
      if (!is_used[i] && y.dims[i] > 1 && x.dims[j] > 1 && ir_get_integer_at(op, "strides", i) == stride)
        out->from[j] = (int)i;
    if (out->from[j] < 0) continue;
    is_used[out->from[j]] = true;
    if (out->first[j] + y.dims[out->from[j]] > x.dims[j]) return false;
  }
  for (unsigned i = 0; i < y.rank; i++)
    if (y.dims[i] > 1 && !out->is_sum[i] && !is_used[i]) return false;
  return true;
}

/* d as a value whose dimensions are those of x, in their order, as wide as the box; what the view
 * repeats is summed. */
static MlirValue to_box(const gnn_adjoint *a, MlirValue d, const box *b) {
  ir_type type = ir_type_of(d);
  int64_t strides[IR_MAX_RANK], dims[IR_MAX_RANK + 1], order[IR_MAX_RANK + 1], stride = 1, repeated = 1;
  for (unsigned i = type.rank; i-- > 0; stride *= type.dims[i]) strides[i] = stride;
  unsigned rank = 0;
  for (unsigned j = 0; j < b->rank; j++) {
    if (b->from[j] < 0) continue;
    dims[rank] = type.dims[b->from[j]];
    order[rank++] = strides[b->from[j]];
  }
  for (unsigned i = 0; i < type.rank; i++) repeated *= b->is_sum[i] ? type.dims[i] : 1;
  unsigned kept = rank;
  for (unsigned i = 0; i < type.rank; i++) {
    if (!b->is_sum[i]) continue;
    dims[rank] = type.dims[i];
    order[rank++] = strides[i];
  }
  d = gnn_adjoint_view(a, d, rank, dims, order, 0);
  if (repeated > 1) {
    dims[kept] = repeated;
    d = gnn_adjoint_reduce(a, gnn_adjoint_reshape(a, d, kept + 1, dims), "sum");
  }
  for (unsigned j = 0; j < b->rank; j++) dims[j] = b->from[j] < 0 ? 1 : type.dims[b->from[j]];
  return gnn_adjoint_reshape(a, d, b->rank, dims);
}

/* Pads dimension j: [A, n, B] becomes [A, B, n], is padded, and goes back. */
static MlirValue pad(const gnn_adjoint *a, MlirValue d, unsigned j, int64_t size, int64_t first) {
  ir_type type = ir_type_of(d);
  int64_t width = type.dims[j], outside = 1, inside = 1;
  if (width == size) return d;
  for (unsigned i = 0; i < j; i++) outside *= type.dims[i];
  for (unsigned i = j + 1; i < type.rank; i++) inside *= type.dims[i];
  const int64_t turned[] = {outside, inside, width}, in[] = {width * inside, 1, inside};
  d = pad_last(a, gnn_adjoint_view(a, d, 3, turned, in, 0), first, size - first - width);
  type.dims[j] = size;
  const int64_t back[] = {outside, size, inside}, strides[] = {inside * size, 1, size};
  return gnn_adjoint_reshape(a, gnn_adjoint_view(a, d, 3, back, strides, 0), type.rank, type.dims);
}

void gnn_adjoint_of_view(gnn_adjoint_op *o) {
  MlirValue x = o->operands[0];
  box b;
  if (!find_box(o->op, ir_type_of(x), ir_type_of(o->d), &b)) {
    gnn_adjoint_refuse(o->a, o->op, "this order of elements cannot be differentiated");
    return;
  }
  MlirValue d = to_box(o->a, o->d, &b);
  for (unsigned j = 0; j < b.rank; j++) d = pad(o->a, d, j, b.dims[j], b.first[j]);
  gnn_adjoint_add(o->a, x, d);
}
