/* What the device executes: sums over edges and products. A sum over a list with one edge per result
 * copies rows, which the host does; a product whose weights leave out columns needs a form in which
 * a zero takes no part, also against infinity. */
#include "codegen/sextans/program.h"

#include "support/number.h"

static bool has_rows_up_to(program_host *host, MlirValue rows, int64_t most) {
  int64_t count = 0;
  status failed = program_host_set_rows(host, ir_type_of(rows).set, &count);
  bool is_few = !failed && count <= most;
  status_free(failed);
  return is_few;
}

/* Indices of non-zeros have 32 bits. */
static bool can_be_lists(program_host *host, MlirValue rows) {
  return has_rows_up_to(host, rows, INT32_MAX / number_max(operand_width(rows), 1));
}

/* Whether weights that were made from a selection have zeros. */
static bool leaves_out_columns(MlirValue w, program_host *host) {
  program_array array;
  if (!operand_has_selection(w)) return false;
  status failed = program_host_evaluate(host, w, &array);
  bool has_zeros = failed;
  for (int64_t i = 0; !failed && i < array.rows * array.width; i++)
    has_zeros = has_zeros || (!(array.data[i] < 0) && !(array.data[i] > 0) && array.data[i] == array.data[i]);
  status_free(failed);
  return has_zeros;
}

bool sextans_is_selection(MlirOperation gemm, program_host *host) {
  return leaves_out_columns(ir_operand(gemm, IR_IN(device, gemm, w)), host);
}

static const char *refuse_gemm(MlirOperation op, program_host *host) {
  bool is_typed = ir_type_of(ir_operand(op, IR_IN(device, gemm, w))).kind == IR_KIND_per;
  if (operand_width(ir_result(op)) > SEXTANS_MOST_COLUMNS) return "it has more than 65535 columns";
  if (!can_be_lists(host, ir_operand(op, IR_IN(device, gemm, in)))) return "its rows have more than 2^31 - 1 numbers";
  if (!sextans_is_selection(op, host)) return NULL;
  if (is_typed && !sextans_plan_count_blocks(op, host)) return "its weights per type have zeros, but not beside blocks";
  if (is_typed || has_rows_up_to(host, ir_result(op), SEXTANS_MOST_COLUMNS)) return NULL;
  return "its weights leave out columns, and it has more than 65535 rows";
}

static const char *refuse_spdmm(MlirOperation op) {
  MlirValue bias = ir_operand(op, IR_IN(device, spdmm, bias)), values = ir_operand(op, IR_IN(device, spdmm, values));
  int64_t columns = operand_width(ir_result(op));
  if (!ir_string_is(op, "reduce", "sum")) return "the device has no maximum or minimum";
  if (ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, in)))) return "it adds up values of edges, without rows";
  if (operand_is_copy(op)) return "it copies rows that are in the host's memory";
  if (columns > SEXTANS_MOST_COLUMNS) return "it has more than 65535 columns";
  if (!ir_value_is_null(bias) && ir_type_of(bias).kind == IR_KIND_per) return "its bias is per type";
  bool is_divisible = ir_value_is_null(values) || columns % ir_type_of(values).dims[0] == 0;
  return is_divisible ? NULL : "its columns are no multiple of its heads";
}

const char *sextans_refuse(MlirOperation op, program_host *host) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): return refuse_gemm(op, host);
  case IR_OP(device, spdmm): return refuse_spdmm(op);
  case IR_OP(device, sddmm): return "the device has no products per edge";
  case IR_OP(device, columns):
  case IR_OP(device, concat): return "it moves columns that are in the host's memory";
  default: return "the device has no element-wise functions";
  }
}
