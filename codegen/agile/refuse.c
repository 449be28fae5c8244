/* What the device executes: sums over edges, products and layers of both, for rows whose numbers fit
 * in a descriptor. */
#include "codegen/agile/program.h"

#include "codegen/device/steps/place.h"

static bool has_few_rows(program_host *host, MlirValue rows) {
  int64_t count = 0;
  status failed = program_host_set_rows(host, ir_type_of(rows).set, &count);
  bool is_few = !failed && count <= INT64_C(1) << AGILE_NODE_BITS;
  status_free(failed);
  return is_few;
}

static const char *refuse_sum(MlirOperation op, const agile_device *d) {
  MlirValue values = ir_operand(op, IR_IN(device, spdmm, values)), in = ir_operand(op, IR_IN(device, spdmm, in));
  MlirValue addend = ir_operand(op, IR_IN(device, spdmm, addend));
  int64_t heads = ir_value_is_null(values) ? 1 : ir_type_of(values).dims[0];
  if (!ir_string_is(op, "reduce", "sum")) return "the device has no maximum or minimum";
  if (ir_value_is_null(in)) return "it adds up values of edges, without rows";
  if (operand_is_copy(op) && !place_is_from_device(in)) return "it copies rows that are in the host's memory";
  if (operand_is_copy(op) && !place_has_sum_users(ir_result(op))) return "it copies rows for the host";
  if (heads > 1 && !agile_rows_have_heads(in, heads, d)) return "the columns of a head are not in one message";
  bool is_apart = !ir_value_is_null(addend) && agile_rows_part(addend, d) != agile_rows_part(ir_result(op), d);
  return is_apart ? "its addend is divided into other parts" : NULL;
}

/* Parts of the rows, and an addend and a bias, become neighbours of one sum. */
static const char *refuse_product(MlirOperation op, MlirValue in, MlirValue addend, const agile_device *d) {
  int64_t part = agile_rows_part(in, d), parts = (operand_width(in) + part - 1) / part;
  if (parts + 2 > AGILE_MOST_EXTRAS) return "its rows have too many parts";
  bool is_apart = !ir_value_is_null(addend) && agile_rows_part(addend, d) != agile_rows_part(ir_result(op), d);
  return is_apart ? "its addend is divided into other parts" : NULL;
}

const char *agile_refuse(MlirOperation op, program_host *host, const agile_device *d) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm):
  case IR_OP(device, layer):
  case IR_OP(device, spdmm): break;
  case IR_OP(device, sddmm): return "the device has no products per edge";
  case IR_OP(device, columns):
  case IR_OP(device, concat): return "it moves columns that are in the host's memory";
  default: return "the device has no element-wise functions but relu and leaky_relu";
  }
  if (!has_few_rows(host, ir_result(op))) return "it has more than 2^20 rows";
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm):
    return refuse_product(op, ir_operand(op, IR_IN(device, gemm, in)), ir_operand(op, IR_IN(device, gemm, addend)), d);
  case IR_OP(device, layer):
    return refuse_product(op, ir_operand(op, IR_IN(device, layer, in)), ir_operand(op, IR_IN(device, layer, addend)),
                          d);
  default: return refuse_sum(op, d);
  }
}
