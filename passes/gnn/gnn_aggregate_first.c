/* gnn-aggregate-first: sums up the edges of one type at a node before the weight of the type is
 * applied (for R-GCN; an alternative to Pigeon, Section 3.1.3).
 *
 *   aggregate(%g, multiply(%c, linear(gather(%g, %x){src}, slice(%g, %W){edge}))){sum, in}
 *   =>  %u = unique_edges(%g){dst}; aggregate(%u, linear(collapse(%u, %x, %c){sum}, slice(%u, %W){edge})){sum, in}
 *
 * The sum over the edges into a node is the sum of sums by type, and each of these is linear in x.
 * So there is one row of the product per pair of edge type and destination, and none per edge or
 * per source. gnn-compact has the same aim with rows per pair of edge type and source. Which is
 * better depends on the widths and on which side of the graph has fewer pairs; the pass compares
 * FLOPs and bytes of both, in training with those of the adjoints. Without a graph it leaves the choice to gnn-compact. */
#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/gnn/train/gnn_train_function.h"

#include <string.h>

static const MlirValue none = {NULL};
static const double WORD = 4; /* bytes of a number */

/* The sum over the edges at `end` of factor * view(linear(x, table[type])). */
typedef struct typed_sum {
  MlirOperation sum, linear;
  MlirOperation view; /* a reshape of the product; null: none */
  MlirValue x;        /* per node of the other end, or per edge */
  MlirValue table;    /* the weights, per type */
  MlirValue factor;   /* per edge; null: none */
  const char *end, *other;
} typed_sum;

/* ---- the match
 *
 * --------------------------------------------------------------------------------------------------- */

/* The table of weights by edge type, or by pairs of edge type and node type of `end`; null for
 * other values. */
static MlirValue read_table(MlirValue w, const char *end) {
  MlirOperation slice = gnn_producer(w, IR_OP(gnn, slice));
  if (mlirOperationIsNull(slice)) return none;
  MlirValue table = ir_operand(slice, IR_IN(gnn, slice, value));
  const char *per = ir_type_of(table).set;
  const char *pairs = !strcmp(end, "src") ? "etype_src" : "etype_dst";
  return !strcmp(per, "etype") || !strcmp(per, pairs) ? table : none;
}

/* Whether the factor scales the rows of x as it scales the rows of the product: one number does,
 * and so does one number for each matrix of a batch. */
static bool scales_rows(const typed_sum *t) {
  if (ir_value_is_null(t->factor)) return true;
  ir_type f = ir_type_of(t->factor), x = ir_type_of(ir_operand(t->linear, IR_IN(gnn, linear, x)));
  ir_type w = ir_type_of(ir_operand(t->linear, IR_IN(gnn, linear, w)));
  if (f.kind != IR_KIND_edge) return false;
  if (f.rank == 0) return true;
  bool is_batch = x.rank > 1 && w.rank == x.rank + 1;
  if (!is_batch || !mlirOperationIsNull(t->view) || f.rank >= x.rank) return false;
  for (unsigned i = 0; i < f.rank; i++)
    if (f.dims[i] != x.dims[i]) return false;
  return true;
}

/* Finds the linear layer that makes `value`, also through a reshape; nothing else may use either of
 * them. */
static bool find_linear(typed_sum *t, MlirValue value) {
  t->view = gnn_producer(value, IR_OP(gnn, reshape));
  if (!mlirOperationIsNull(t->view)) {
    if (!ir_value_has_one_use(value)) return false;
    value = ir_operand(t->view, IR_IN(gnn, reshape, x));
  }
  t->linear = gnn_producer(value, IR_OP(gnn, linear));
  if (mlirOperationIsNull(t->linear) || !ir_value_has_one_use(value) || gnn_activation_of(t->linear)) return false;
  if (!ir_value_is_null(ir_operand(t->linear, IR_IN(gnn, linear, bias)))) return false;
  if (!ir_value_is_null(ir_operand(t->linear, IR_IN(gnn, linear, addend)))) return false;
  t->table = read_table(ir_operand(t->linear, IR_IN(gnn, linear, w)), t->end);
  return !ir_value_is_null(t->table) && scales_rows(t);
}

/* Finds the product: it is the value itself, or one of its factors; the other factors are weights
 * of the edges. */
static bool find_product(typed_sum *t) {
  MlirValue value = ir_operand(t->sum, IR_IN(gnn, aggregate, value));
  t->factor = ir_operand(t->sum, IR_IN(gnn, aggregate, weight));
  if (ir_type_of(value).kind != IR_KIND_edge) return false;
  if (find_linear(t, value)) return true;
  MlirOperation product = gnn_producer(value, IR_OP(gnn, multiply));
  if (mlirOperationIsNull(product) || !ir_value_is_null(t->factor) || !ir_value_has_one_use(value)) return false;
  for (int i = 0; i < 2; i++) {
    t->factor = ir_operand(product, i);
    if (ir_type_of(t->factor).rank > ir_type_of(ir_operand(product, 1 - i)).rank) continue;
    if (find_linear(t, ir_operand(product, 1 - i))) return true;
  }
  return false;
}

static bool match(MlirOperation sum, typed_sum *t) {
  *t = (typed_sum){.sum = sum};
  if (!ir_string_is(sum, "reduce", "sum")) return false;
  bool is_in = ir_string_is(sum, "direction", "in");
  t->end = is_in ? "dst" : "src";
  t->other = is_in ? "src" : "dst";
  MlirValue graph = ir_operand(sum, IR_IN(gnn, aggregate, graph));
  if (ir_base_set(mlirOperationGetContext(sum), ir_type_of(graph).set) || !find_product(t)) return false;
  t->x = ir_operand(t->linear, IR_IN(gnn, linear, x));
  MlirOperation gather = gnn_producer(t->x, IR_OP(gnn, gather));
  if (!mlirOperationIsNull(gather)) {
    if (!ir_string_is(gather, "end", t->other)) return false; /* x is the same for all edges of a pair */
    t->x = ir_operand(gather, IR_IN(gnn, gather, value));
  }
  return true;
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

static double elements_of(MlirValue value) {
  return (double)ir_type_elements(ir_type_of(value));
}

/* How often the work of rows, products and edges is done: once, and in training again for the adjoints. A product has two
 * more. Rows of products are written, and read by both of these; sums over edges are sums in the other direction. */
typedef struct often {
  double products, rows_of_products, rows_of_sums, edges;
} often;

static often often_of(const typed_sum *t) {
  MlirOperation func = mlirOperationGetParentOperation(t->sum);
  return train_is_wanted(mlirOperationGetParentOperation(func)) ? (often){3, 4, 2, 2} : (often){1, 1, 1, 1};
}

/* The work of rows per pair of edge type and the other end, as gnn-compact makes them, or per edge,
 * and then of a sum over the edges. */
static gnn_work work_of_products(const typed_sum *t, double edges, double rows) {
  double in = elements_of(ir_operand(t->linear, IR_IN(gnn, linear, x))), out = elements_of(ir_result(t->linear));
  double per_edge = gnn_cost_reduction("sum", out, !ir_value_is_null(t->factor));
  const often n = often_of(t);
  return (gnn_work){.flops = n.products * rows * gnn_cost_per_row(t->linear) + n.edges * edges * per_edge,
                    .bytes = WORD * (n.rows_of_products * rows * (in + out + 1) + n.edges * edges * (out + 1))};
}

/* Numbers that are written and read because the factor of an edge must be stored first; 0 if it is
 * given, or is read of the edge's pair. */
static double words_of_factor(const typed_sum *t) {
  if (ir_value_is_null(t->factor) || mlirValueIsABlockArgument(t->factor)) return 0;
  return mlirOperationIsNull(gnn_producer(t->factor, IR_OP(gnn, expand))) ? 2 * elements_of(t->factor) : 0;
}

/* The work of sums of x per pair, a product for each sum, and the sum of the products. */
static gnn_work work_of_sums(const typed_sum *t, double edges, double pairs) {
  double in = elements_of(ir_operand(t->linear, IR_IN(gnn, linear, x))), out = elements_of(ir_result(t->linear));
  double per_edge = gnn_cost_reduction("sum", in, !ir_value_is_null(t->factor));
  const often n = often_of(t);
  double products = pairs * (n.products * gnn_cost_per_row(t->linear) + n.rows_of_sums * out);
  double words = n.edges * edges * (in + 1 + words_of_factor(t)) + n.rows_of_sums * pairs * (in + (in + out) + out);
  return (gnn_work){.flops = n.edges * edges * per_edge + products, .bytes = WORD * words};
}

/* ---- the decision ------------------------------------------------------------------------------------------------ */

static bool decide(pass_context *p, const typed_sum *t, gnn_when when) {
  const pass_statistics *s = &p->statistics;
  bool is_src = !strcmp(t->other, "src"), has_pairs = pass_option_bool(p, "compact", true);
  double edges = (double)s->num_edges, pairs = (double)(is_src ? s->unique_dst : s->unique_src);
  double rows = has_pairs ? (double)(is_src ? s->unique_src : s->unique_dst) : edges;
  const char *name = gnn_describe_value(p, ir_result(t->linear));
  if (edges < 0 || pairs < 0 || rows < 0) {
    pass_remark(p, t->sum,
                "%s %s after the sum of each edge type; how many pairs of type and node there are is not known", name,
                when == GNN_WHEN_always ? "is computed" : "is not computed");
    return when == GNN_WHEN_always;
  }
  gnn_work before = work_of_products(t, edges, rows), after = work_of_sums(t, edges, pairs);
  bool is_profitable = gnn_work_weight(after) < gnn_work_weight(before);
  bool is_chosen = when == GNN_WHEN_always || (when == GNN_WHEN_profitable && is_profitable);
  pass_remark(p, t->sum, "%s %s computed after the sum of each edge type, on %.0f rows instead of %.0f: %s%s", name,
              is_chosen                ? "is"
              : when == GNN_WHEN_never ? "would be"
                                       : "is not",
              pairs, rows, gnn_describe_change(p, before, after), when == GNN_WHEN_never ? "; switched off" : "");
  return is_chosen;
}

/* ---- the rewrite ------------------------------------------------------------------------------------------------- */

/* Builds the rewritten sum; null after an error. */
static MlirValue build(const typed_sum *t) {
  ir_builder b = ir_builder_before(t->sum);
  MlirValue graph = ir_operand(t->sum, IR_IN(gnn, aggregate, graph));
  ir_attr end[] = {{"end", ir_attr_string(b.context, t->end)}, {NULL, {NULL}}};
  MlirValue unique = ir_build_value(&b, IR_OP(gnn, unique_edges), &graph, end);
  if (ir_value_is_null(unique)) return none;
  MlirValue sums[IR_MAX_OPERANDS] = {unique, t->x, t->factor};
  ir_attr sum[] = {{"reduce", ir_attr_string(b.context, "sum")}, {NULL, {NULL}}};
  MlirValue rows[IR_MAX_OPERANDS] = {unique, t->table};
  ir_attr by[] = {{"by", ir_attr_string(b.context, "edge")}, {NULL, {NULL}}};
  MlirValue product[IR_MAX_OPERANDS] = {ir_build_value(&b, IR_OP(gnn, collapse), sums, sum),
                                        ir_build_value(&b, IR_OP(gnn, slice), rows, by)};
  if (ir_value_is_null(product[0]) || ir_value_is_null(product[1])) return none;
  MlirValue value = gnn_build_like(&b, t->linear, product, NULL);
  if (!ir_value_is_null(value) && !mlirOperationIsNull(t->view)) value = gnn_build_like(&b, t->view, &value, NULL);
  MlirValue total[IR_MAX_OPERANDS] = {unique, value};
  return ir_value_is_null(value) ? none : gnn_build_like(&b, t->sum, total, NULL);
}

bool pass_run_aggregate_first(MlirOperation root, pass_context *p) {
  gnn_when when = gnn_when_get(p);
  IR_FOR_EACH_FUNC(func, root) {
    IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
      typed_sum t;
      if (ir_op_kind(op) != IR_OP(gnn, aggregate) || !match(op, &t) || !decide(p, &t, when)) continue;
      MlirValue value = build(&t);
      if (ir_value_is_null(value)) return false;
      gnn_replace(p, op, value);
    }
  }
  return true;
}
