/* gnn-infer-shapes: recomputes result types from operands, forward through each function.
 *
 *   %y = linear(%x: node f32[?], %w: f32[1433, 16]) : node f32[?]   =>   : node f32[16]
 *
 * Passes that change the type of a value (a sparse input, a size that became known) leave the types
 * behind it to this pass, and IR written by hand may leave sizes open. An operation whose operands
 * do not fit is an error at its line. */
#include "passes/gnn/rules/gnn_rewrite.h"

/* Keeps what was known before: a size that is open in `inferred` stays as it was. */
static ir_type keep_known(ir_type inferred, ir_type before) {
  if (inferred.kind != before.kind || inferred.rank != before.rank) return inferred;
  for (unsigned i = 0; i < inferred.rank; i++)
    if (mlirShapedTypeIsDynamicSize(inferred.dims[i])) inferred.dims[i] = before.dims[i];
  return inferred;
}

static bool refine(pass_context *p, MlirOperation op) {
  ir_type inferred;
  if (!ir_infer(op, &inferred)) return false;
  MlirValue result = ir_result(op);
  ir_type before = ir_type_of(result), after = keep_known(inferred, before);
  if (ir_type_equal(before, after)) return true;
  mlirValueSetType(result, ir_type_make(p->context, after));
  p->changed++;
  return true;
}

bool pass_run_infer_shapes(MlirOperation root, pass_context *p) {
  bool ok = true;
  IR_FOR_EACH_FUNC(func, root) {
    uint64_t before = p->changed;
    IR_FOR_EACH_OP(op, ir_func_body(func))
      if (gnn_is_graph_level(op)) ok = refine(p, op) && ok;
    if (p->changed != before) gnn_func_update_type(p, func);
  }
  return ok;
}
