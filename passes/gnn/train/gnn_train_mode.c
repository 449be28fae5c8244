/* gnn-train-mode: makes the function of training from a model with a loss.
 *
 *   @m(g, x) { w = load @W; h = dropout(x @ w); ... } -> (logits, loss)
 *   =>
 *   @m(g, x, w) { h = dropout(x @ w); ...     h' = x @ w; ... } -> (logits', loss' of evaluate; loss of gradients)
 *
 * Weights become arguments, because they change from step to step. The body is there twice: as it is
 * in training, and as it is in evaluation, without dropout. In training the statistics of a batch norm
 * are those of all rows, and its running statistics move towards them. Later passes merge what both
 * bodies have in common, and gnn-split-run makes a function of each. A program of derivatives has all
 * results in training, too: (logits' of evaluate; logits, next values of running statistics of forward). */
#include "passes/gnn/train/gnn_adjoint.h"
#include "passes/gnn/train/gnn_train_function.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"

#include <string.h>

/* ---- weights ---- */

/* The attributes of the argument that a weight becomes. */
static MlirAttribute weight_attributes(pass_context *p, MlirOperation weight) {
  static const char *const kept[] = {"gnn.name", "gnn.from", "gnn.count", "gnn.frozen", "gnn.init", "gnn.transposed"};
  enum { KEPT = sizeof kept / sizeof *kept };
  ir_attr list[KEPT + 2] = {{"gnn.weight", ir_attr_bool(p->context, true)}};
  for (size_t i = 0; i < KEPT; i++) list[i + 1] = (ir_attr){kept[i], ir_get_attr(weight, kept[i])};
  return train_attributes(p->context, list);
}

/* Whether no result depends on the value. */
static bool is_dead(MlirValue value) {
  IR_FOR_EACH_USE(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationGetNumResults(user)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); i++)
      if (!is_dead(mlirOperationGetResult(user, i))) return false;
  }
  return true;
}

static void destroy_dead(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    while (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      destroy_dead(mlirOpOperandGetOwner(mlirValueGetFirstUse(mlirOperationGetResult(op, i))));
  mlirOperationDestroy(op);
}

/* Removes a weight that a module may lack where no result depends on it: a module that lacks it is as good. */
static bool remove_unused(pass_context *p, MlirOperation func, MlirOperation weight, const char *symbol) {
  if (mlirAttributeIsNull(ir_get_attr(weight, "gnn.optional"))) return false;
  VEC(MlirOperation) loads = {0};
  IR_FOR_EACH_OP(op, ir_func_body(func)) {
    const char *loaded = ir_weight_symbol(op);
    if (!loaded || strcmp(loaded, symbol) != 0) continue;
    if (!is_dead(ir_result(op))) return false;
    VEC_PUSH(p->arena, &loads, op);
  }
  for (size_t i = 0; i < loads.count; i++) destroy_dead(loads.items[i]);
  mlirOperationDestroy(weight);
  return true;
}

/* Makes an argument of a weight, and of its loads uses of it. */
static void pass_weight(pass_context *p, MlirOperation func, MlirOperation weight) {
  const char *symbol = ir_get_string(weight, "sym_name", "");
  if (remove_unused(p, func, weight, symbol)) return;
  MlirAttribute type = mlirOperationGetAttributeByName(weight, mlirStringRefCreateFromCString("type"));
  MlirValue argument = train_add_argument(p, func, mlirTypeAttrGetValue(type), mlirOperationGetLocation(weight),
                                          weight_attributes(p, weight));
  IR_FOR_EACH_OP_SAFE(op, ir_func_body(func)) {
    const char *loaded = ir_weight_symbol(op);
    if (!loaded || strcmp(loaded, symbol) != 0) continue;
    mlirValueReplaceAllUsesOfWith(ir_result(op), argument);
    mlirOperationDestroy(op);
  }
  mlirOperationDestroy(weight);
}

/* Trained inputs, which the weights file holds, are weights, too. */
static void mark_trained_inputs(pass_context *p, MlirOperation func) {
  size_t count = (size_t)mlirBlockGetNumArguments(ir_func_body(func));
  for (size_t i = 0; i < count; i++)
    if (!mlirAttributeIsNull(ir_func_arg_attr(func, i, "gnn.trained")))
      ir_func_set_arg_attr(func, i, "gnn.weight", ir_attr_bool(p->context, true));
}

static void pass_weights(pass_context *p, MlirOperation module, MlirOperation func) {
  mark_trained_inputs(p, func);
  IR_FOR_EACH_OP_SAFE(op, ir_region_block(module))
    if (ir_is_weight(op)) pass_weight(p, func, op);
}

/* ---- evaluation ---- */

static MlirValue copy_of(const map *copies, MlirValue value) {
  MlirValue copy = {map_get_pointer(copies, value.ptr)};
  return ir_value_is_null(copy) ? value : copy;
}

static void replace_inside(MlirOperation op, const map *copies) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(op, i, copy_of(copies, mlirOperationGetOperand(op, i)));
}

/* Whether a statistic is a running one: a weight that is never trained. Others are part of the model. */
static bool is_running(MlirOperation func, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return false;
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(value);
  return !mlirAttributeIsNull(ir_func_arg_attr(func, index, "gnn.weight")) &&
         !mlirAttributeIsNull(ir_func_arg_attr(func, index, "gnn.frozen"));
}

/* Whether the result of an operation differs between training and evaluation: it is one of dropout or of a batch norm with
 * running statistics, or computed from one. */
static bool is_changed(MlirOperation func, const map *changed, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, dropout)) return true;
  if (kind == IR_OP(gnn, batch_norm) && is_running(func, ir_operand(op, IR_IN(gnn, batch_norm, mean)))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (map_get_pointer(changed, mlirOperationGetOperand(op, i).ptr)) return true;
  return false;
}

/* Copies one operation before `end`; dropout becomes its operand. */
static MlirValue copy_operation(const map *copies, MlirOperation op, MlirOperation end) {
  if (ir_op_kind(op) == IR_OP(gnn, dropout)) return copy_of(copies, mlirOperationGetOperand(op, 0));
  MlirOperation copy = mlirOperationClone(op);
  replace_inside(copy, copies);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(end), end, copy);
  return ir_result(copy);
}

/* Copies the body before its end, without dropout. Graphs are shared: one that is made from values that differ in training is
 * refused, because evaluation would need another one. */
static bool copy_body(pass_context *p, MlirOperation func, map *copies) {
  map changed = {.arena = p->arena};
  MlirBlock body = ir_func_body(func);
  MlirOperation end = ir_block_terminator(body);
  VEC(MlirOperation) ops = {0};
  bool ok = true;
  IR_FOR_EACH_OP_BEFORE(op, body, end) VEC_PUSH(p->arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++) {
    MlirValue value = ir_result(ops.items[i]);
    bool is_graph = ir_type_of(value).kind == IR_KIND_graph;
    if (is_changed(func, &changed, ops.items[i])) map_set_pointer(&changed, value.ptr, value.ptr);
    if (is_graph && map_get_pointer(&changed, value.ptr))
      ok = inter_refuse(p, ops.items[i],
                        "this graph is made from values behind dropout or batch_norm; evaluation would need another "
                        "graph than training, which is not supported");
    if (!is_graph) map_set_pointer(copies, value.ptr, copy_operation(copies, ops.items[i], end).ptr);
  }
  return ok;
}

/* ---- batch norm ---- */

/* The mean of x over all rows and leading dimensions: [..., K] becomes [K]. */
static MlirValue mean_of(gnn_adjoint *a, MlirValue x, MlirValue count) {
  ir_type type = ir_type_of(x);
  MlirValue sum = gnn_adjoint_contract(a, (MlirValue){NULL}, x, false, NULL, 0);
  if (type.rank > 1) {
    int64_t last = type.dims[type.rank - 1];
    const int64_t rows[] = {ir_type_elements(type) / last, last};
    sum = gnn_adjoint_reduce(a, gnn_adjoint_transpose(a, gnn_adjoint_reshape(a, sum, 2, rows)), "sum");
  }
  return gnn_adjoint_binary(a, IR_OP(gnn, divide), sum, count);
}

/* The number of rows of x, times that of its leading dimensions. */
static MlirValue count_rows(gnn_adjoint *a, MlirValue x) {
  static const int64_t none[1] = {0};
  ir_type type = ir_type_of(x);
  MlirValue one = gnn_adjoint_constant(a, (double)(ir_type_elements(type) / type.dims[type.rank - 1]));
  MlirValue first = gnn_adjoint_view(a, x, 0, none, none, 0), zero = gnn_adjoint_constant(a, 0);
  MlirValue ones = gnn_adjoint_select(a, gnn_adjoint_compare(a, first, zero, "eq"), one, one);
  MlirValue count = gnn_adjoint_contract(a, (MlirValue){NULL}, ones, false, NULL, 0);
  return gnn_adjoint_binary(a, IR_OP(gnn, maximum), count, gnn_adjoint_constant(a, 1));
}

/* running + 0.1 (now - running). A statistic that several batch norms share moves towards each of them in their order; a->of
 * has its newest value, and the results one for each statistic. */
static void move_towards(gnn_adjoint *a, MlirValue running, MlirValue now, train_results *results) {
  if (!is_running(a->func, running)) return;
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(running);
  MlirContext context = a->b.context;
  MlirValue newest = {map_get_pointer(&a->of, running.ptr)}, before = ir_value_is_null(newest) ? running : newest;
  MlirValue step = gnn_adjoint_binary(a, IR_OP(gnn, subtract), now, before);
  step = gnn_adjoint_binary(a, IR_OP(gnn, multiply), step, gnn_adjoint_constant(a, 0.1));
  MlirValue moved = gnn_adjoint_binary(a, IR_OP(gnn, vector_add), before, step);
  map_set_pointer(&a->of, running.ptr, moved.ptr);
  for (size_t i = 0; i < results->count; i++) {
    if (!mlirValueEqual(results->items[i].value, before)) continue;
    results->items[i].value = moved;
    return;
  }
  ir_attr list[] = {{"gnn.name", ir_func_arg_attr(a->func, index, "gnn.name")},
                    {"gnn.update", ir_attr_bool(context, true)},
                    {NULL, {NULL}}};
  train_result result = {moved, train_attributes(context, list)};
  VEC_PUSH(a->p->arena, results, result);
}

/* Gives a batch norm the statistics of all rows, and adds results that update the running ones. */
static void use_batch_statistics(gnn_adjoint *a, MlirOperation op, train_results *results) {
  MlirValue x = ir_operand(op, IR_IN(gnn, batch_norm, x));
  ir_type type = ir_type_of(x);
  a->b = ir_builder_before(op);
  MlirValue count = count_rows(a, x), mean = mean_of(a, x, count);
  MlirValue centred = gnn_adjoint_binary(a, IR_OP(gnn, subtract), x, gnn_adjoint_along_last(a, mean, type));
  MlirValue variance = mean_of(a, gnn_adjoint_binary(a, IR_OP(gnn, multiply), centred, centred), count);
  MlirValue one = gnn_adjoint_constant(a, 1), less = gnn_adjoint_binary(a, IR_OP(gnn, subtract), count, one);
  MlirValue factor =
      gnn_adjoint_binary(a, IR_OP(gnn, divide), count, gnn_adjoint_binary(a, IR_OP(gnn, maximum), less, one));
  move_towards(a, ir_operand(op, IR_IN(gnn, batch_norm, mean)), mean, results);
  move_towards(a, ir_operand(op, IR_IN(gnn, batch_norm, variance)),
               gnn_adjoint_binary(a, IR_OP(gnn, multiply), variance, factor), results);
  ir_set_operand(op, IR_IN(gnn, batch_norm, mean), mean);
  ir_set_operand(op, IR_IN(gnn, batch_norm, variance), variance);
}

static void use_all_batch_statistics(pass_context *p, MlirOperation func, MlirOperation last, train_results *results) {
  gnn_adjoint a = {.p = p, .func = func, .active.arena = p->arena, .of.arena = p->arena};
  gnn_adjoint_find_graphs(&a);
  VEC(MlirOperation) norms = {0};
  MlirBlock body = ir_func_body(func);
  bool is_training = true;
  IR_FOR_EACH_OP(op, body) {
    if (is_training && ir_op_kind(op) == IR_OP(gnn, batch_norm) &&
        is_running(func, ir_operand(op, IR_IN(gnn, batch_norm, mean))))
      VEC_PUSH(p->arena, &norms, op);
    is_training = is_training && !mlirOperationEqual(op, last);
  }
  for (size_t i = 0; i < norms.count; i++) use_batch_statistics(&a, norms.items[i], results);
}

/* ---- the function ---- */

static void add_result(pass_context *p, train_results *results, MlirValue value, MlirAttribute attributes,
                       const char *of) {
  MlirAttribute marked = train_attributes_with(attributes, TRAIN_OF, ir_attr_string(p->context, of));
  train_result result = {value, marked};
  VEC_PUSH(p->arena, results, result);
}

static bool make_training(pass_context *p, MlirOperation module, MlirOperation func) {
  pass_weights(p, module, func);
  bool is_backward = train_backward_of(module) != NULL;
  const char *phase = is_backward ? "forward" : "gradients";
  MlirBlock body = ir_func_body(func);
  train_results old = train_results_of(p, func), results = {0}, updates = {0};
  MlirOperation last = {NULL}; /* of the body in training */
  MlirOperation end = ir_block_terminator(body);
  IR_FOR_EACH_OP_BEFORE(op, body, end) last = op;
  map copies = {.arena = p->arena};
  if (!copy_body(p, func, &copies)) return false;
  use_all_batch_statistics(p, func, last, &updates);
  for (size_t i = 0; i < old.count; i++)
    add_result(p, &results, copy_of(&copies, old.items[i].value), old.items[i].attributes, "evaluate");
  for (size_t i = 0; i < old.count; i++)
    if (is_backward || !mlirAttributeIsNull(train_attribute(old.items[i].attributes, "gnn.loss")))
      add_result(p, &results, old.items[i].value, old.items[i].attributes, phase);
  for (size_t i = 0; i < updates.count; i++)
    add_result(p, &results, updates.items[i].value, updates.items[i].attributes, phase);
  train_set_results(p, func, &results);
  p->changed++;
  return true;
}

bool pass_run_train_mode(MlirOperation root, pass_context *p) {
  bool ok = true;
  if (!train_is_wanted(root)) return true;
  IR_FOR_EACH_FUNC(func, root) ok = make_training(p, root, func) && ok;
  return ok;
}
