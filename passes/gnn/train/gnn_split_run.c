/* gnn-split-run: makes a function of each phase of training from @m.run.
 *
 *   @m.run(...) -> (logits {gnn.of = "evaluate"}, loss {gnn.of = "gradients"}, dW {gnn.of = "gradients"})
 *   =>
 *   @m.gradients(...) -> (loss, dW)        @m.evaluate(...) -> (logits)
 *
 * A program of derivatives has forward, evaluate and backward. All keep all arguments, so that callers fill the same structs for all. What the results of a
 * function do not need is deleted. */
#include "passes/gnn/train/gnn_train_function.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* Erases what the results do not need, from the last operation to the first. */
static void erase_unused(pass_context *p, MlirOperation func) {
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, ir_func_body(func)) VEC_PUSH(p->arena, &ops, op);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.items[i];
    if (mlirOperationGetNumResults(op) == 1 && ir_op_is_removable(op) && !ir_value_has_uses(ir_result(op)))
      mlirOperationDestroy(op);
  }
}

static void make_phase(pass_context *p, MlirOperation run, const char *phase) {
  const char *name = ir_func_name(run), *dot = strrchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : strlen(name);
  MlirOperation func = mlirOperationClone(run);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(run), run, func);
  ir_set_attr(func, "sym_name",
              ir_attr_string(p->context, arena_printf(p->arena, "%.*s.%s", (int)length, name, phase)));
  mlirOperationSetDiscardableAttributeByName(func, mlirStringRefCreateFromCString("gnn.phase"),
                                             ir_attr_string(p->context, phase));
  train_results all = train_results_of(p, func), kept = {0};
  for (size_t i = 0; i < all.count; i++) {
    const char *of = ir_string_of(train_attribute(all.items[i].attributes, TRAIN_OF));
    if (of && !strcmp(of, phase)) VEC_PUSH(p->arena, &kept, all.items[i]);
  }
  train_set_results(p, func, &kept);
  erase_unused(p, func);
}

bool pass_run_split_run(MlirOperation root, pass_context *p) {
  if (!train_is_wanted(root)) return true;
  static const char *const of_loss[] = {"gradients", "evaluate", NULL};
  static const char *const of_outputs[] = {"forward", "evaluate", "backward", NULL};
  MlirOperation next;
  for (MlirOperation func = ir_func_first(root); !mlirOperationIsNull(func); func = next) {
    next = ir_func_next(func);
    if (!ir_string_is(func, "gnn.phase", "run")) continue;
    for (const char *const *phase = train_backward_of(root) ? of_outputs : of_loss; *phase; phase++)
      make_phase(p, func, *phase);
    mlirOperationDestroy(func);
    p->changed++;
  }
  return true;
}
