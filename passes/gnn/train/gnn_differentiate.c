/* gnn-differentiate: adds the gradients of the loss by the trained weights to a function of training.
 *
 *   -> (..., loss)    becomes    -> (..., loss, gradient of W {gnn.gradient}, ...)
 *
 * A program of derivatives takes the adjoint of each output as an argument, and may have gradients of inputs:
 *
 *   (g, x, W) -> h    becomes    (g, x, W, d_h {gnn.adjoint}) -> (h, gradient of W, gradient of x {gnn.input_gradient})
 *
 * Reverse mode: the adjoint of the loss is 1; operations are visited from the last to the first, and
 * the rule of each (gnn_adjoint.def) adds to the adjoints of its operands. It runs after the passes
 * that choose the order and the rows of computations, because the adjoint of a value of pairs is a
 * value of pairs, and before those that choose where values are computed (Pigeon section 3.5). */
#include "passes/gnn/train/gnn_adjoint.h"
#include "passes/gnn/train/gnn_train_function.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/vec.h"

#include <string.h>

/* Rules that are no functions of gnn_adjoint.h. */
static void gnn_adjoint_of_constant(gnn_adjoint_op *o) {
  (void)o;
}

static void gnn_adjoint_of_refuse(gnn_adjoint_op *o) {
  gnn_adjoint_refuse(o->a, o->op, arena_printf(o->a->p->arena, "%s cannot be differentiated", ir_op_name(o->op)));
}

static const gnn_adjoint_rule rules[] = {
#define ADJOINT(operation, rule) [IR_OP(gnn, operation)] = gnn_adjoint_of_##rule,
#include "passes/gnn/train/gnn_adjoint.def"
#undef ADJOINT
};
enum {
  ROWS = 0
#define ADJOINT(operation, rule) +1
#include "passes/gnn/train/gnn_adjoint.def"
#undef ADJOINT
};
_Static_assert(ROWS == IR_OP(gnn, pool) + 1, "a rule for each operation of the gnn level");

/* ---- active values ---- */

static MlirAttribute argument_attribute(const gnn_adjoint *a, MlirValue argument, const char *name) {
  return ir_func_arg_attr(a->func, (size_t)mlirBlockArgumentGetArgNumber(argument), name);
}

/* Whether an argument is trained: a weight that is not frozen. */
static bool is_trained(const gnn_adjoint *a, MlirValue argument) {
  return !mlirAttributeIsNull(argument_attribute(a, argument, "gnn.weight")) &&
         mlirAttributeIsNull(argument_attribute(a, argument, "gnn.frozen"));
}

/* Whether "x,pos" has a name. */
static bool has_name(const char *list, const char *name) {
  size_t size = strlen(name);
  for (const char *at = list;; at++) {
    size_t length = strcspn(at, ",");
    if (length == size && !strncmp(at, name, size)) return true;
    at += length;
    if (!*at) return false;
  }
}

/* Whether an argument is an input whose gradient is wanted: real numbers of rows or of the model. */
static bool is_input(const gnn_adjoint *a, MlirValue argument) {
  ir_type type = ir_type_of(argument);
  if (!a->backward || type.kind == IR_KIND_graph || type.is_integer ||
      !mlirAttributeIsNull(argument_attribute(a, argument, "gnn.weight")) ||
      !mlirAttributeIsNull(argument_attribute(a, argument, "gnn.adjoint")))
    return false;
  const char *name = ir_string_of(argument_attribute(a, argument, "gnn.name"));
  return !strcmp(a->backward, "all") || (name && has_name(a->backward, name));
}

static bool is_constant(MlirOperation op) {
  return !gnn_is_graph_level(op) || rules[ir_op_kind(op)] == gnn_adjoint_of_constant;
}

/* Marks the arguments whose gradients are wanted, and what depends on them. */
static void find_active(gnn_adjoint *a, MlirBlock body) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (is_trained(a, argument) || is_input(a, argument)) map_set_pointer(&a->active, argument.ptr, argument.ptr);
  }
  IR_FOR_EACH_OP(op, body) {
    if (mlirOperationGetNumResults(op) != 1 || is_constant(op)) continue;
    bool is_active = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !is_active; i++)
      is_active = gnn_adjoint_is_active(a, mlirOperationGetOperand(op, i));
    if (is_active) map_set_pointer(&a->active, ir_result(op).ptr, ir_result(op).ptr);
  }
}

/* ---- the walk ---- */

/* The place of an operation under the name of what its adjoints are: "d_h" for those of h. */
static MlirLocation adjoint_location(const gnn_adjoint *a, MlirOperation op) {
  MlirLocation where = mlirOperationGetLocation(op);
  const char *name = ir_location_name(where);
  if (!name) return where;
  const char *said = arena_printf(a->p->arena, "d_%s", name);
  return mlirLocationNameGet(a->p->context, mlirStringRefCreateFromCString(said), mlirLocationNameGetChildLoc(where));
}

static void visit(gnn_adjoint *a, MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || !gnn_adjoint_is_active(a, ir_result(op))) return;
  gnn_adjoint_op o = {.a = a, .op = op, .result = ir_result(op), .d = {map_get_pointer(&a->of, ir_result(op).ptr)}};
  if (ir_value_is_null(o.d)) return;
  if (gnn_activation_of(op)) {
    gnn_adjoint_refuse(a, op, "an operation with a fused function; gnn-fuse-activation runs after gnn-differentiate");
    return;
  }
  ir_operands(op, o.operands);
  a->b.location = adjoint_location(a, op);
  rules[ir_op_kind(op)](&o);
}

/* Visits the operations of the body before `end` from the last to the first. */
static void walk(gnn_adjoint *a, MlirBlock body) {
  VEC(MlirOperation) ops = {0};
  MlirOperation end = ir_block_terminator(body);
  IR_FOR_EACH_OP_BEFORE(op, body, end) VEC_PUSH(a->p->arena, &ops, op);
  for (size_t i = ops.count; i-- > 0 && !a->is_wrong;) visit(a, ops.items[i]);
}

/* ---- results ---- */

/* Warns of a weight that does not change the loss. */
static void warn_unreached(const gnn_adjoint *a, MlirValue weight) {
  const char *file = NULL, *name = ir_string_of(argument_attribute(a, weight, "gnn.from"));
  unsigned line = 0, column = 0;
  bool is_known = ir_location_position(mlirValueGetLocation(weight), &file, &line, &column);
  diag_report_at(a->p->diag, is_known ? file : NULL, line, column, DIAG_unreached_weight,
                 "%s on weight '%s': its gradient is 0", a->backward ? "no output depends" : "the loss does not depend",
                 name ? name : "?");
}

/* The gradient of an argument that changes nothing. */
static MlirValue without_effect(gnn_adjoint *a, MlirValue argument) {
  ir_type type = ir_type_of(argument);
  MlirValue zero = gnn_adjoint_zeros(a, type.rank, type.dims);
  return type.kind == IR_KIND_plain ? zero : gnn_adjoint_select(a, gnn_adjoint_constant(a, 0), argument, zero);
}

/* Adds the gradient of a weight or of an input to the results. */
static void add_gradient(gnn_adjoint *a, MlirValue argument, const char *role, train_results *results) {
  MlirValue d = {map_get_pointer(&a->of, argument.ptr)};
  a->b.location = mlirValueGetLocation(argument);
  if (ir_value_is_null(d) && is_trained(a, argument)) warn_unreached(a, argument);
  if (ir_value_is_null(d)) d = without_effect(a, argument);
  ir_attr list[] = {{"gnn.name", argument_attribute(a, argument, "gnn.name")},
                    {role, ir_attr_bool(a->p->context, true)},
                    {TRAIN_OF, ir_attr_string(a->p->context, a->backward ? "backward" : "gradients")},
                    {NULL, {NULL}}};
  train_result result = {d, train_attributes(a->p->context, list)};
  VEC_PUSH(a->p->arena, results, result);
}

/* The loss of training; null: the function has none. */
static MlirValue loss_of(const train_results *results) {
  for (size_t i = 0; i < results->count; i++) {
    const char *of = ir_string_of(train_attribute(results->items[i].attributes, TRAIN_OF));
    bool is_loss = !mlirAttributeIsNull(train_attribute(results->items[i].attributes, "gnn.loss"));
    if (is_loss && of && !strcmp(of, "gradients")) return results->items[i].value;
  }
  return (MlirValue){NULL};
}

/* Adds an argument for the adjoint of each output of forward, with which the walk begins. */
static void take_adjoints(gnn_adjoint *a, const train_results *results) {
  for (size_t i = 0; i < results->count; i++) {
    const train_result *r = &results->items[i];
    const char *of = ir_string_of(train_attribute(r->attributes, TRAIN_OF));
    bool is_output = of && !strcmp(of, "forward") && mlirAttributeIsNull(train_attribute(r->attributes, "gnn.update"));
    if (!is_output || ir_type_of(r->value).is_integer) continue;
    const char *name = ir_string_of(train_attribute(r->attributes, "gnn.name"));
    ir_attr list[] = {
        {"gnn.name", ir_attr_string(a->p->context, arena_printf(a->p->arena, "d_%s", name ? name : "output"))},
        {"gnn.adjoint", ir_attr_bool(a->p->context, true)},
        {NULL, {NULL}}};
    MlirValue d = train_add_argument(a->p, a->func, mlirValueGetType(r->value), mlirValueGetLocation(r->value),
                                     train_attributes(a->p->context, list));
    gnn_adjoint_add(a, r->value, d);
  }
}

static bool differentiate(pass_context *p, MlirOperation func, const char *backward) {
  train_results results = train_results_of(p, func);
  MlirValue loss = loss_of(&results);
  if (!backward && ir_value_is_null(loss)) return true;
  MlirBlock body = ir_func_body(func);
  gnn_adjoint a = {.p = p, .func = func, .backward = backward, .b = ir_builder_before(ir_block_terminator(body))};
  a.active.arena = a.of.arena = p->arena;
  gnn_adjoint_find_graphs(&a);
  find_active(&a, body);
  if (backward)
    take_adjoints(&a, &results);
  else
    gnn_adjoint_add(&a, loss, gnn_adjoint_constant(&a, 1));
  walk(&a, body);
  if (a.is_wrong) return false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (is_trained(&a, argument)) add_gradient(&a, argument, "gnn.gradient", &results);
  }
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (is_input(&a, argument)) add_gradient(&a, argument, "gnn.input_gradient", &results);
  }
  train_set_results(p, func, &results);
  p->changed++;
  return !a.is_wrong;
}

bool pass_run_differentiate(MlirOperation root, pass_context *p) {
  bool ok = true;
  if (!train_is_wanted(root)) return true;
  IR_FOR_EACH_FUNC(func, root) ok = differentiate(p, func, train_backward_of(root)) && ok;
  return ok;
}
