/* Builds W12 = W1 W2 of gnn-fuse-linear (Pigeon, Section 3.4.1), for every way in which the shapes
 * of two operations fit, and the operation that uses it.
 *
 *   W1 [F, H D] by type, a [H, D] by type    =>   W12[f, h] = sum over d of W1[f, h D + d] a[h, d], one table of types
 *
 * W12 is computed from tables of weights alone, so that gnn-separate-bind computes it once. Tables
 * of different kinds are combined on the pairs of edge type and node type (gnn.pair). The result is
 * stored as [K, N], as the products of run read it. */
#include "passes/gnn/gnn_fuse_linear.h"

#include "passes/gnn/rules/gnn_rewrite.h"

static const MlirValue none = {NULL};

/* ---- costs ------------------------------------------------------------------------------------------------------- */

static double last(ir_type type) {
  return type.rank > 0 ? (double)type.dims[type.rank - 1] : 1;
}

static double elements(ir_type type) {
  return (double)ir_type_elements(type);
}

double gnn_fuse_first_flops(const fuse_match *m) {
  return 2 * last(m->x) * elements(m->y);
}

double gnn_fuse_second_flops(const fuse_match *m) {
  return 2 * last(m->seen) * elements(m->z);
}

double gnn_fuse_result_flops(const fuse_match *m) {
  double k = m->form == FUSE_FORM_join ? elements(m->x) : last(m->x);
  return 2 * k * elements(m->z);
}

double gnn_fuse_weight_flops(const fuse_match *m) {
  ir_type w1 = ir_type_of(m->w1.table);
  double rows = elements(w1) / last(m->y); /* [..., K, N1], of which the leading dimensions and K stay */
  switch (m->form) {
  case FUSE_FORM_product:
  case FUSE_FORM_join: return 2 * last(m->y) * rows * last(m->z);
  case FUSE_FORM_inner: return 2 * last(m->y) * rows;
  default: return 2 * last(m->seen) * last(m->x) * elements(m->z);
  }
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* The state while the tables are built: the match, the place, and the names of results. */
typedef struct weaving {
  const fuse_match *m;
  ir_builder b;
  MlirValue graph; /* null when no weight is by type */
  int64_t pair_count;
} weaving;

static MlirValue build(const ir_builder *b, ir_op op, MlirValue x, MlirValue y) {
  if (ir_value_is_null(x) || ir_value_is_null(y)) return none;
  return gnn_build_binary(b, op, x, y);
}

static MlirValue reshape(const ir_builder *b, MlirValue x, unsigned rank, const int64_t *dims) {
  if (ir_value_is_null(x) || ir_payload_equal(ir_type_of(x), ir_type_plain(rank, dims))) return x;
  ir_attr attributes[] = {{"shape", ir_attr_integers(b->context, dims, rank)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, reshape), &x, attributes);
}

static MlirValue transpose(const ir_builder *b, MlirValue x) {
  if (ir_value_is_null(x)) return x;
  MlirOperation already = gnn_producer(x, IR_OP(gnn, transpose));
  return mlirOperationIsNull(already) ? gnn_build_unary(b, IR_OP(gnn, transpose), x)
                                      : ir_operand(already, IR_IN(gnn, transpose, x));
}

/* A table on the index set of the result. */
static MlirValue lift(const weaving *w, fuse_weight weight) {
  const char *end = gnn_fuse_end_of(w->m->by);
  bool is_pair = (w->m->by & FUSE_BY_etype) && end;
  if (ir_value_is_null(weight.table) || !is_pair || weight.by == 0 || weight.by == w->m->by) return weight.table;
  MlirValue operands[IR_MAX_OPERANDS] = {w->graph, weight.table};
  ir_attr attributes[] = {{"end", ir_attr_string(w->b.context, end)},
                          {"count", ir_attr_integer(w->b.context, w->pair_count)},
                          {NULL, {NULL}}};
  return ir_build_value(&w->b, IR_OP(gnn, pair), operands, attributes);
}

/* The matrices of an operation as [N, K] or [K, N], on the index set of the result. They are
 * transposed before they are repeated for pairs, because there are fewer then. */
static MlirValue oriented(const weaving *w, MlirOperation layer, fuse_weight weight, bool transposed) {
  if (ir_get_bool(layer, "transposed") != transposed) weight.table = transpose(&w->b, weight.table);
  return lift(w, weight);
}

/* W1 with [H D] columns, as a matrix [D, K] for each head. */
static MlirValue first_by_head(const weaving *w) {
  const fuse_match *m = w->m;
  int64_t shape[] = {m->seen.dims[0], m->seen.dims[1], m->x.dims[0]};
  return reshape(&w->b, oriented(w, m->first, m->w1, true), 3, shape);
}

static MlirValue weave_heads(const weaving *w) {
  const fuse_match *m = w->m;
  int64_t shape[] = {ir_type_elements(m->z), m->x.dims[0]};
  MlirValue w2 = oriented(w, m->second, m->w2, true); /* [H, N, D] */
  MlirValue product = build(&w->b, IR_OP(gnn, linear), w2, first_by_head(w));
  return transpose(&w->b, reshape(&w->b, product, 2, shape));
}

static MlirValue weave_join(const weaving *w) {
  const fuse_match *m = w->m;
  int64_t by_head[] = {m->y.dims[0], m->y.dims[1], m->z.dims[0]}, joined[] = {ir_type_elements(m->x), m->z.dims[0]};
  MlirValue w1 = oriented(w, m->first, m->w1, false);
  MlirValue w2 = reshape(&w->b, oriented(w, m->second, m->w2, false), 3, by_head);
  return reshape(&w->b, build(&w->b, IR_OP(gnn, linear), w1, w2), 2, joined);
}

/* The result [K, H], or [K] for one head. */
static MlirValue weave_inner_heads(const weaving *w) {
  const fuse_match *m = w->m;
  MlirValue a = lift(w, m->w2), w1 = first_by_head(w), heads;
  if (ir_type_of(m->w2.table).rank == 1)
    heads = build(&w->b, IR_OP(gnn, vector_inner), transpose(&w->b, w1), a);
  else
    heads = build(&w->b, IR_OP(gnn, linear), a, w1);
  return m->seen.dims[0] == 1 ? reshape(&w->b, heads, 1, m->x.dims) : transpose(&w->b, heads);
}

static MlirValue weave(const weaving *w) {
  const fuse_match *m = w->m;
  switch (m->form) {
  case FUSE_FORM_heads: return weave_heads(w);
  case FUSE_FORM_join: return weave_join(w);
  case FUSE_FORM_inner_heads: return weave_inner_heads(w);
  case FUSE_FORM_inner:
    return build(&w->b, IR_OP(gnn, vector_inner), oriented(w, m->first, m->w1, false), lift(w, m->w2));
  default:
    return build(&w->b, IR_OP(gnn, linear), oriented(w, m->first, m->w1, false), oriented(w, m->second, m->w2, false));
  }
}

/* ---- the operation that uses it ---------------------------------------------------------------------------------- */

/* The row of a table for a row of z. */
static MlirValue slice(const weaving *w, const ir_builder *b, MlirValue table) {
  unsigned by = w->m->by;
  if (by == 0 || ir_value_is_null(table) || ir_type_of(table).kind == IR_KIND_plain) return table;
  MlirValue operands[IR_MAX_OPERANDS] = {w->graph, table};
  ir_attr attributes[] = {{"by", ir_attr_string(b->context, by & FUSE_BY_etype ? "edge" : "node")}, {NULL, {NULL}}};
  MlirValue row = ir_build_value(b, IR_OP(gnn, slice), operands, attributes);
  const char *end = gnn_fuse_end_of(by);
  if (ir_value_is_null(row) || (by & FUSE_BY_etype) || !end) return row;
  return gnn_build_gather(b, w->graph, row, end);
}

static MlirValue apply(const weaving *w, const ir_builder *b, MlirValue x, MlirValue w12) {
  const fuse_match *m = w->m;
  MlirValue row = slice(w, b, w12);
  bool is_inner = m->form == FUSE_FORM_inner || (m->form == FUSE_FORM_inner_heads && m->seen.dims[0] == 1);
  if (m->form == FUSE_FORM_join) x = reshape(b, x, 1, (int64_t[]){ir_type_elements(m->x)});
  MlirValue z = build(b, is_inner ? IR_OP(gnn, vector_inner) : IR_OP(gnn, linear), x, row);
  return reshape(b, z, m->z.rank, m->z.dims);
}

/* The product of a bias with W2. */
static MlirValue weave_bias(const weaving *w, fuse_weight bias) {
  const fuse_match *m = w->m;
  MlirValue seen = reshape(&w->b, lift(w, bias), m->seen.rank, m->seen.dims);
  if (ir_op_kind(m->second) != IR_OP(gnn, linear)) return build(&w->b, IR_OP(gnn, vector_inner), seen, lift(w, m->w2));
  return build(&w->b, IR_OP(gnn, linear), seen, oriented(w, m->second, m->w2, false));
}

/* Applies bias, addend and activation of the second operation to the fused result. */
static MlirValue finish(const fuse_match *m, const ir_builder *b, MlirValue z) {
  if (ir_op_kind(m->second) == IR_OP(gnn, linear)) {
    MlirValue more[] = {ir_operand(m->second, IR_IN(gnn, linear, bias)),
                        ir_operand(m->second, IR_IN(gnn, linear, addend))};
    for (int i = 0; i < 2; i++)
      if (!ir_value_is_null(more[i])) z = build(b, IR_OP(gnn, vector_add), z, more[i]);
  }
  return gnn_build_activation_of(b, m->second, z);
}

MlirValue gnn_fuse_build(const fuse_match *m, int64_t pair_count) {
  weaving w = {.m = m, .b = ir_builder_before(m->second), .graph = m->graph, .pair_count = pair_count};
  ir_builder b = w.b;
  w.b.location = mlirValueGetLocation(m->w1.table);
  MlirValue x = ir_operand(m->first, IR_IN(gnn, linear, x)), w12 = weave(&w);
  if (!mlirOperationIsNull(m->gather)) x = gnn_build_gather(&b, w.graph, x, ir_get_string(m->gather, "end", "src"));
  if (ir_value_is_null(w12) || ir_value_is_null(x)) return none;
  MlirValue z = apply(&w, &b, x, w12);
  for (unsigned i = 0; i < m->bias_count; i++)
    z = build(&b, IR_OP(gnn, vector_add), z, slice(&w, &b, weave_bias(&w, m->biases[i])));
  return finish(m, &b, z);
}
