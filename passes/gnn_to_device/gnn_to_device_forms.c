/* gnn-to-device: decides which edge values become values of edges (numbers per edge and head),
 * instead of rows.
 *
 * They do where every operation that makes or reads them supports it: sums, differences, products,
 * quotients, maxima, minima and comparisons of each other, of gathered node values and of
 * constants; inner products of both ends; functions; aggregates that reduce them or use them as
 * weights, all in one direction. Connected operations form a component, which becomes values of
 * edges as a whole or not at all: one use that needs rows makes all of them rows. */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

typedef struct component {
  size_t parent;
  MlirValue value;
  bool is_refused, is_in, is_out; /* of a root: a use needs rows; aggregates use it in direction in; in direction out */
} component;

typedef struct choice {
  to_device *l;
  VEC(component) components;
  map index; /* from a value to 1 + index of its component */
} choice;

static size_t root_of(const choice *c, size_t i) {
  while (c->components.items[i].parent != i) i = c->components.items[i].parent;
  return i;
}

static size_t index_of(const choice *c, MlirValue v) {
  return (size_t)map_get(&c->index, v.ptr, 0);
}

static void join(choice *c, MlirValue a, MlirValue b) {
  size_t x = root_of(c, index_of(c, a) - 1), y = root_of(c, index_of(c, b) - 1);
  c->components.items[y].parent = x;
}

static bool is_combining(ir_op kind) {
  return ir_op_is_binary(kind) || kind == IR_OP(gnn, activation) || kind == IR_OP(gnn, reshape);
}

/* Whether an operation is an inner product of the rows of both ends, with heads in the same
 * order. */
static bool is_inner(const to_device *l, MlirOperation op) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  MlirOperation x = to_device_runtime_gather(l, a), y = to_device_runtime_gather(l, b);
  if (mlirOperationIsNull(x) || mlirOperationIsNull(y) || !ir_payload_equal(ir_type_of(a), ir_type_of(b))) return false;
  return !ir_string_is(x, "end", ir_get_string(y, "end", ""));
}

/* Whether a value may be an operand: it has as many heads, or one number for all of them; if it
 * varies, it is a value of edges or gathered. */
static bool is_operand(const choice *c, MlirValue v, int64_t heads) {
  int64_t own = ir_type_elements(ir_type_of(v));
  if (index_of(c, v)) return own == heads;
  if (own != heads && own != 1) return false;
  return to_device_is_constant(c->l, v) || !mlirOperationIsNull(to_device_runtime_gather(c->l, v));
}

static bool is_candidate(const choice *c, MlirOperation op) {
  MlirValue result = ir_result(op);
  ir_type type = ir_type_of(result);
  if (type.kind != IR_KIND_edge || type.rank > 1 || ir_unique_end(type.set) || to_device_is_constant(c->l, result))
    return false;
  if (ir_op_kind(op) == IR_OP(gnn, vector_inner)) return is_inner(c->l, op);
  if (!is_combining(ir_op_kind(op))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_operand(c, mlirOperationGetOperand(op, i), ir_type_elements(type))) return false;
  return true;
}

static void consider(choice *c, MlirOperation op) {
  if (!is_candidate(c, op)) return;
  MlirValue result = ir_result(op);
  size_t index = c->components.count;
  VEC_PUSH(c->l->p->arena, &c->components, (component){.parent = index, .value = result});
  map_set(&c->index, result.ptr, (int64_t)index + 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (index_of(c, mlirOperationGetOperand(op, i))) join(c, result, mlirOperationGetOperand(op, i));
}

/* Judges one use of a value: the component becomes rows if the user needs rows. */
static void judge_use(choice *c, component *root, MlirOperation user, intptr_t operand) {
  ir_op kind = ir_op_kind(user);
  if (kind == IR_OTHER) return; /* the function's output */
  if (kind == IR_OP(gnn, aggregate)) {
    bool is_weight = operand == IR_IN(gnn, aggregate, weight);
    MlirValue value = ir_operand(user, IR_IN(gnn, aggregate, value)),
              weight = ir_operand(user, IR_IN(gnn, aggregate, weight));
    bool is_in = ir_string_is(user, "direction", "in");
    if (is_weight ? ir_type_of(value).kind != IR_KIND_node : !ir_value_is_null(weight)) root->is_refused = true;
    root->is_in = root->is_in || is_in;
    root->is_out = root->is_out || !is_in;
    return;
  }
  if (!mlirOperationGetNumResults(user) || !index_of(c, mlirOperationGetResult(user, 0))) root->is_refused = true;
}

static void judge(choice *c, size_t index) {
  component *root = &c->components.items[root_of(c, index)];
  IR_FOR_EACH_USE(use, c->components.items[index].value)
    judge_use(c, root, mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use));
}

/* Whether a / gather(s), where s is at the end that sums, is only used as a weight of sums, so that
 * the sums can be divided instead. */
static bool can_divide_later(const to_device *l, MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, divide) || !l->is_dividing_later) return false;
  MlirValue quotient = ir_result(op), a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  MlirOperation gather = to_device_runtime_gather(l, b);
  const char *direction = map_get_pointer(&l->forms, quotient.ptr);
  if (!to_device_has_values(l, a) || mlirOperationIsNull(gather)) return false;
  const char *end = !strcmp(direction, "in") ? "dst" : "src";
  if (!ir_string_is(gather, "end", end) || ir_type_elements(ir_type_of(b)) != ir_type_elements(ir_type_of(a)))
    return false;
  MlirOperation sum = gnn_producer(ir_operand(gather, IR_IN(gnn, gather, value)), IR_OP(gnn, aggregate));
  if (mlirOperationIsNull(sum) || gnn_activation_of(sum) || !ir_string_is(sum, "direction", direction)) return false;
  if (!mlirValueEqual(ir_operand(sum, IR_IN(gnn, aggregate, graph)), ir_operand(gather, IR_IN(gnn, gather, graph))))
    return false;
  IR_FOR_EACH_USE(use, quotient) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_sum = ir_op_kind(user) == IR_OP(gnn, aggregate) &&
                  mlirOpOperandGetOperandNumber(use) == IR_IN(gnn, aggregate, weight);
    if (!is_sum || !ir_string_is(user, "reduce", "sum")) return false;
  }
  return true;
}

void to_device_choose_forms(to_device *l) {
  choice c = {.l = l, .index = {.arena = l->p->arena}};
  IR_FOR_EACH_OP(op, l->body)
    if (gnn_is_graph_level(op) && mlirOperationGetNumResults(op) == 1) consider(&c, op);
  for (size_t i = 0; i < c.components.count; i++) judge(&c, i);
  for (size_t i = 0; i < c.components.count; i++) {
    const component *root = &c.components.items[root_of(&c, i)];
    if (!root->is_refused && !(root->is_in && root->is_out))
      map_set_pointer(&l->forms, c.components.items[i].value.ptr, root->is_out ? "out" : "in");
  }
  for (size_t i = 0; i < c.components.count; i++) {
    MlirValue v = c.components.items[i].value;
    if (to_device_has_values(l, v) && can_divide_later(l, ir_defining_op(v))) map_set(&l->delayed, v.ptr, 1);
  }
}
