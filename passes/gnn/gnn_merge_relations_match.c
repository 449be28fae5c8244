/* Finds the products that gnn-merge-relations merges: a sum or mean over the edges of one type, and a product with a weight
 * of its own before or behind it, at all nodes or at those of one type.
 *
 *   part(%g, aggregate(%g.relation1, linear(unite(%g, %x.author){type = 1}, %w))){type = 0}      the edges lead from authors to papers
 */
#include "passes/gnn/gnn_merge_relations.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/edge_mode.h"

static bool is_bare_sum(MlirOperation op) {
  return gnn_is_sum_or_mean(op) && !gnn_activation_of(op) &&
         ir_value_is_null(ir_operand(op, IR_IN(gnn, aggregate, weight)));
}

static bool is_bare_linear(MlirOperation op) {
  return !gnn_activation_of(op) && ir_value_is_null(ir_operand(op, IR_IN(gnn, linear, bias))) &&
         ir_value_is_null(ir_operand(op, IR_IN(gnn, linear, addend)));
}

/* The type of nodes at an end of the edges of r's type: at that where the sums are, or at the other. -1: any. */
static int64_t type_at(MlirOperation func, const relation_product *r, bool is_of_sum) {
  size_t argument = (size_t)mlirBlockArgumentGetArgNumber(r->graph);
  MlirAttribute ends = ir_func_arg_attr(func, argument, "gnn.edge_ends");
  bool is_dst = ir_string_is(r->sum, "direction", "in") == is_of_sum;
  intptr_t index = 2 * (intptr_t)r->type + is_dst;
  if (mlirAttributeIsNull(ends) || index >= mlirDenseArrayGetNumElements(ends)) return -1;
  return mlirDenseI64ArrayGetElement(ends, index);
}

/* Reads the graph, the type of the edges over which r->sum runs, and the nodes where they begin. At nodes of another type
 * than that where they end, the sum is 0. */
static bool read_relation(MlirOperation func, relation_product *r) {
  MlirOperation set = gnn_producer(ir_operand(r->sum, IR_IN(gnn, aggregate, graph)), IR_OP(gnn, edge_set));
  if (mlirOperationIsNull(set)) return false;
  edge_mode mode = edge_mode_read(ir_get_string(set, "mode", ""));
  r->graph = ir_operand(set, IR_IN(gnn, edge_set, graph));
  r->type = mode.number;
  if (mode.kind != EDGE_MODE_relation || !mlirValueIsABlockArgument(r->graph)) return false;
  r->from = type_at(func, r, false);
  return r->part < 0 || r->part == type_at(func, r, true);
}

/* Strips the choice of the nodes of one type, which *part receives. Nothing else may use what it chooses from. */
static bool strip_part(MlirValue *value, int64_t *part) {
  MlirOperation op = gnn_producer(*value, IR_OP(gnn, part));
  if (mlirOperationIsNull(op)) return true;
  *part = ir_get_integer(op, "type", 0);
  *value = ir_operand(op, IR_IN(gnn, part, value));
  return ir_value_has_one_use(*value);
}

bool gnn_merge_match(MlirOperation func, MlirValue value, relation_product *r) {
  *r = (relation_product){.value = value, .part = -1};
  if (!strip_part(&value, &r->part)) return false;
  r->sum = gnn_producer(value, IR_OP(gnn, aggregate));
  r->linear = gnn_producer(value, IR_OP(gnn, linear));
  bool is_sum_last = !mlirOperationIsNull(r->sum);
  if (!is_sum_last && mlirOperationIsNull(r->linear)) return false;
  MlirValue between =
      is_sum_last ? ir_operand(r->sum, IR_IN(gnn, aggregate, value)) : ir_operand(r->linear, IR_IN(gnn, linear, x));
  if (!ir_value_has_one_use(between)) return false;
  if (!is_sum_last && !strip_part(&between, &r->part)) return false;
  if (is_sum_last)
    r->linear = gnn_producer(between, IR_OP(gnn, linear));
  else
    r->sum = gnn_producer(between, IR_OP(gnn, aggregate));
  if (mlirOperationIsNull(r->sum) || mlirOperationIsNull(r->linear)) return false;
  r->x = is_sum_last ? ir_operand(r->linear, IR_IN(gnn, linear, x)) : ir_operand(r->sum, IR_IN(gnn, aggregate, value));
  MlirOperation load = ir_defining_op(ir_operand(r->linear, IR_IN(gnn, linear, w)));
  bool is_weight = !mlirOperationIsNull(load) && ir_weight_symbol(load);
  return is_weight && ir_type_of(r->x).kind == IR_KIND_node && is_bare_sum(r->sum) && is_bare_linear(r->linear) &&
         read_relation(func, r);
}

MlirValue gnn_merge_source(const relation_product *r) {
  MlirValue x = r->x;
  MlirOperation unite = gnn_producer(x, IR_OP(gnn, unite));
  while (r->from >= 0 && !mlirOperationIsNull(unite)) {
    if (ir_get_integer(unite, "type", 0) == r->from) return ir_operand(unite, IR_IN(gnn, unite, rows));
    x = ir_operand(unite, IR_IN(gnn, unite, rest));
    unite = ir_value_is_null(x) ? (MlirOperation){NULL} : gnn_producer(x, IR_OP(gnn, unite));
  }
  return x;
}

/* Whether one value can have the rows that both products read. */
static bool shares_rows(const relation_product *a, const relation_product *b) {
  if (mlirValueEqual(a->x, b->x)) return true;
  if (a->from < 0 || b->from < 0 || !mlirTypeEqual(mlirValueGetType(a->x), mlirValueGetType(b->x))) return false;
  MlirValue rows = gnn_merge_source(a), others = gnn_merge_source(b);
  if (ir_value_is_null(rows) || ir_value_is_null(others)) return false;
  return a->from != b->from || mlirValueEqual(rows, others);
}

bool gnn_merge_is_alike(const relation_product *a, const relation_product *b) {
  static const char *const words[] = {"reduce", "direction"};
  for (size_t i = 0; i < 2; i++)
    if (!ir_string_is(a->sum, words[i], ir_get_string(b->sum, words[i], ""))) return false;
  ir_type v = ir_type_of(ir_operand(a->linear, IR_IN(gnn, linear, w)));
  ir_type w = ir_type_of(ir_operand(b->linear, IR_IN(gnn, linear, w)));
  return mlirValueEqual(a->graph, b->graph) && (a->part < 0) == (b->part < 0) && shares_rows(a, b) &&
         ir_type_equal(v, w) && ir_get_bool(a->linear, "transposed") == ir_get_bool(b->linear, "transposed");
}

/* Whether `value` exists before `at`. */
static bool is_before(MlirValue value, MlirOperation at) {
  MlirOperation op = ir_defining_op(value);
  return mlirOperationIsNull(op) || mlirOperationIsBeforeInBlock(op, at);
}

bool gnn_merge_has_one_x(const relation_products *products) {
  for (size_t i = 1; i < products->count; i++)
    if (!mlirValueEqual(products->items[i].x, products->items[0].x)) return false;
  return true;
}

bool gnn_merge_has_rows(const relation_products *products, MlirOperation at) {
  if (gnn_merge_has_one_x(products)) return is_before(products->items[0].x, at);
  for (size_t i = 0; i < products->count; i++) {
    MlirValue rows = gnn_merge_source(&products->items[i]);
    if (ir_value_is_null(rows) || !is_before(rows, at)) return false;
  }
  return true;
}
