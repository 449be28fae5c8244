/* What the device executes: sums over edges, products and layers of both. */
#include "codegen/fusedgcn/program.h"

#include "codegen/device/steps/place.h"

static const char *refuse_spdmm(MlirOperation op, program_host *host) {
  MlirValue values = ir_operand(op, IR_IN(device, spdmm, values)), in = ir_operand(op, IR_IN(device, spdmm, in));
  if (!ir_string_is(op, "reduce", "sum")) return "the device has no maximum or minimum";
  if (ir_value_is_null(in)) return "it adds up values of edges, without rows";
  if (operand_is_copy(op) && !place_is_from_device(in)) return "it copies rows that are in the host's memory";
  if (operand_is_copy(op) && !place_has_sum_users(ir_result(op))) return "it copies rows for the host";
  if (!ir_value_is_null(values) && !place_has_few_values(op, host)) return "it has 2^31 values of edges or more";
  bool is_divisible = ir_value_is_null(values) || operand_width(ir_result(op)) % ir_type_of(values).dims[0] == 0;
  return is_divisible ? NULL : "its columns are no multiple of its heads";
}

static const char *refuse_product(MlirValue in, MlirOperation op) {
  bool is_wide = operand_width(in) > FUSEDGCN_MOST_COLUMNS || operand_width(ir_result(op)) > FUSEDGCN_MOST_COLUMNS;
  return is_wide ? "it has more than 65535 columns" : NULL;
}

const char *fusedgcn_refuse(MlirOperation op, program_host *host) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): return refuse_product(ir_operand(op, IR_IN(device, gemm, in)), op);
  case IR_OP(device, layer): return refuse_product(ir_operand(op, IR_IN(device, layer, in)), op);
  case IR_OP(device, spdmm): return refuse_spdmm(op, host);
  case IR_OP(device, sddmm): return "the device has no products per edge";
  case IR_OP(device, columns):
  case IR_OP(device, concat): return "it moves columns that are in the host's memory";
  default: return "the device has no element-wise functions but relu";
  }
}
