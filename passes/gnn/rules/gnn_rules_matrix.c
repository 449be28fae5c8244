/* Rule of gnn-canonicalize about a matrix per edge that a linear layer makes (NNConv, equation 1 of Gilmer et al., 2017):
 *
 *   %w = reshape(linear(%h, %W, %b)) {[F, O]}; aggregate(%g, linear(%x, %w)){sum}
 *   => linear(aggregate(%g, reshape(outer(%h, %x))){sum}, reshape(%W) {[H F, O]}) + linear(aggregate(%g, %x){sum}, reshape(%b))
 *
 * The message is linear in every product h[k] x[f], so these are summed up at the nodes, and no edge has a matrix. A
 * product with W is then needed per node. It changes rounding, so it applies from -O2 on; sums and means only. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/rules/gnn_rules.h"

#include <string.h>

static const MlirValue none = {NULL};

typedef struct edge_matrix {
  MlirOperation layer;          /* makes the matrices */
  MlirValue x, h, w, b;         /* per edge [F], per edge [H], [H, F O] or transposed, [F O] or null */
  int64_t rows, inner, columns; /* F, H, O */
} edge_matrix;

static bool has_only(MlirOperation linear, bool may_have_bias) {
  return !gnn_activation_of(linear) && ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, addend))) &&
         (may_have_bias || ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, bias))));
}

static bool is_edge_row(MlirValue value) {
  ir_type type = ir_type_of(value);
  return type.kind == IR_KIND_edge && type.rank == 1 && !mlirShapedTypeIsDynamicSize(type.dims[0]);
}

/* Finds the layer and its bias, which it has itself or which is added to it. */
static bool find_layer(MlirValue flat, edge_matrix *m) {
  MlirOperation sum = gnn_producer(flat, IR_OP(gnn, vector_add));
  if (!ir_value_has_one_use(flat)) return false;
  for (int i = 0; i < 2 && !mlirOperationIsNull(sum) && !gnn_activation_of(sum); i++) {
    ir_type other = ir_type_of(ir_operand(sum, 1 - i));
    m->layer = gnn_producer(ir_operand(sum, i), IR_OP(gnn, linear));
    if (mlirOperationIsNull(m->layer) || other.kind != IR_KIND_plain || other.rank != 1) continue;
    m->b = ir_operand(sum, 1 - i);
    return ir_value_has_one_use(ir_operand(sum, i)) && has_only(m->layer, false);
  }
  m->layer = gnn_producer(flat, IR_OP(gnn, linear));
  if (mlirOperationIsNull(m->layer) || !has_only(m->layer, true)) return false;
  m->b = ir_operand(m->layer, IR_IN(gnn, linear, bias));
  return true;
}

/* Matches linear(x, reshape(linear(h, W, b))), each used once. */
static bool match(MlirValue message, edge_matrix *m) {
  MlirOperation product = gnn_producer(message, IR_OP(gnn, linear));
  if (mlirOperationIsNull(product) || !ir_value_has_one_use(message) || !has_only(product, false)) return false;
  MlirValue matrix = ir_operand(product, IR_IN(gnn, linear, w));
  MlirOperation view = gnn_producer(matrix, IR_OP(gnn, reshape));
  if (mlirOperationIsNull(view) || ir_get_bool(product, "transposed") || !ir_value_has_one_use(matrix)) return false;
  if (!find_layer(ir_operand(view, IR_IN(gnn, reshape, x)), m)) return false;
  m->x = ir_operand(product, IR_IN(gnn, linear, x));
  m->h = ir_operand(m->layer, IR_IN(gnn, linear, x));
  m->w = ir_operand(m->layer, IR_IN(gnn, linear, w));
  ir_type shape = ir_type_of(matrix), weights = ir_type_of(m->w);
  if (!is_edge_row(m->x) || !is_edge_row(m->h) || shape.rank != 2 || weights.kind != IR_KIND_plain || weights.rank != 2)
    return false;
  m->rows = shape.dims[0];
  m->columns = shape.dims[1];
  m->inner = ir_type_of(m->h).dims[0];
  return true;
}

/* Whether it is less work: a product with W per node instead of per edge. Without a graph there are more edges than
 * nodes. */
static bool pays(const pass_context *p, const edge_matrix *m) {
  const pass_statistics *s = &p->statistics;
  if (s->num_edges < 0 || s->num_nodes < 0) return true;
  double product = (double)(m->inner * m->rows * m->columns), sums = (double)(m->inner * m->rows);
  return (double)s->num_edges * sums + (double)s->num_nodes * product < (double)s->num_edges * product;
}

static MlirValue reshape(const ir_builder *b, MlirValue x, int64_t rows, int64_t columns) {
  int64_t shape[] = {rows, columns};
  ir_attr attributes[] = {{"shape", ir_attr_integers(b->context, shape, columns ? 2 : 1)}, {NULL, {NULL}}};
  return ir_build_value(b, IR_OP(gnn, reshape), &x, attributes);
}

/* The sum of a value per edge, reduced as `sum` does. */
static MlirValue sum_like(const ir_builder *b, MlirOperation sum, MlirValue value) {
  MlirValue operands[IR_MAX_OPERANDS] = {ir_operand(sum, IR_IN(gnn, aggregate, graph)), value,
                                         ir_operand(sum, IR_IN(gnn, aggregate, weight))};
  ir_attr plain[] = {{"activation", {NULL}}, {NULL, {NULL}}};
  return ir_value_is_null(value) ? none : gnn_build_like(b, sum, operands, plain);
}

static MlirValue multiply(const ir_builder *b, MlirValue x, MlirValue w, MlirValue addend) {
  MlirValue operands[IR_MAX_OPERANDS] = {none};
  operands[IR_IN(gnn, linear, x)] = x;
  operands[IR_IN(gnn, linear, w)] = w;
  operands[IR_IN(gnn, linear, addend)] = addend;
  if (ir_value_is_null(x) || ir_value_is_null(w)) return none;
  return ir_build_value(b, IR_OP(gnn, linear), operands, NULL);
}

MlirValue gnn_rule_matrix(const pass_context *p, MlirOperation op) {
  edge_matrix m = {0};
  if (p->opt_level < 2 || ir_op_kind(op) != IR_OP(gnn, aggregate) || !gnn_is_sum_or_mean(op)) return none;
  if (gnn_activation_of(op) || !match(ir_operand(op, IR_IN(gnn, aggregate, value)), &m) || !pays(p, &m)) return none;
  MlirValue weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  if (!ir_value_is_null(weight) && ir_type_of(weight).rank > 0) return none;
  ir_builder b = ir_builder_before(op);
  MlirValue pairs =
      sum_like(&b, op, reshape(&b, gnn_build_binary(&b, IR_OP(gnn, outer), m.h, m.x), m.inner * m.rows, 0));
  MlirValue w = ir_get_bool(m.layer, "transposed") ? gnn_build_unary(&b, IR_OP(gnn, transpose), m.w) : m.w;
  MlirValue result = none;
  if (!ir_value_is_null(m.b)) {
    MlirValue sources = sum_like(&b, op, m.x);
    result = multiply(&b, sources, reshape(&b, m.b, m.rows, m.columns), none);
    if (ir_value_is_null(result)) return none;
  }
  return multiply(&b, pairs, reshape(&b, w, m.inner * m.rows, m.columns), result);
}
