/* intra-narrow-rows: rows that one kernel writes and another reads take 2 bytes per number.
 *
 *   intra.buffer workspace "z" : <"node:g", tensor<128xf32>>     =>     intra.buffer workspace "z" {format = "bf16"}
 *
 * Sums over edges gather rows of nodes, and on a large graph the memory decides how long this takes: half the bytes
 * take about half the time. The numbers are rounded to 8 bits (by at most 2^-8 of each) where they are stored; all
 * arithmetic stays f32. Rows of few numbers keep f32: they are logits, norms and coefficients, on whose bits more
 * depends than on their bytes. So do inputs and outputs, what bind keeps, and buffers of operations that cannot read
 * bf16 (ir_buffer_may_be_bf16).
 *
 * Runs before intra-plan-memory, which counts the bytes. */
#include "passes/inter/inter_loops.h"

#include <string.h>

/* Numbers of a row. Fewer are no row of features, where option `fewest` does not say otherwise; of more, a block would not
 * fit the stack where a product makes them f32. */
enum { FEWEST = 16, MOST = 2048 };

static bool is_row_of_features(const pass_context *p, MlirOperation buffer) {
  ir_type type = ir_type_of(ir_result(buffer));
  int64_t elements = ir_type_elements(type);
  bool is_of_set = !strncmp(type.set, "node:", 5) || !strncmp(type.set, "edge:", 5);
  bool is_long = type.rank > 0 && elements >= pass_option_integer(p, "fewest", FEWEST);
  return is_of_set && !type.is_integer && is_long && elements <= MOST;
}

static void narrow(pass_context *p, MlirOperation buffer) {
  if (!ir_string_is(buffer, "space", "workspace") || !is_row_of_features(p, buffer)) return;
  MlirValue value = ir_result(buffer);
  if (!ir_value_has_uses(value) || ir_buffer_is_bf16(value)) return;
  const char *name = ir_get_string(buffer, "name", "");
  if (!ir_buffer_may_be_bf16(value)) {
    pass_remark(p, buffer, "'%s' keeps f32: an operation that reads it takes no bf16", name);
    return;
  }
  ir_set_attr(buffer, "format", ir_attr_string(p->context, "bf16"));
  pass_remark(p, buffer, "rows of '%s' are bf16", name);
  p->changed++;
}

bool pass_run_narrow_rows(MlirOperation root, pass_context *p) {
  MlirOperation run = inter_find_phase(root, "run");
  if (mlirOperationIsNull(run)) return true;
  IR_FOR_EACH_OP(op, ir_func_body(run))
    if (ir_op_kind(op) == IR_OP(intra, buffer)) narrow(p, op);
  return true;
}
