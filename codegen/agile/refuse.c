/* What the device executes: sums over edges, products and layers of both, for rows whose numbers fit
 * in a descriptor. */
#include "codegen/agile/program.h"

#include "codegen/device/steps/place.h"

#include <stdlib.h>

static bool has_few_rows(program_host *host, MlirValue rows) {
  int64_t count = 0;
  status failed = program_host_set_rows(host, ir_type_of(rows).set, &count);
  bool is_few = !failed && count <= INT64_C(1) << AGILE_NODE_BITS;
  status_free(failed);
  return is_few;
}

/* Whether the neighbours of each row, and extra ones, can be counted in a descriptor. */
static bool has_short_lists(program_host *host, MlirOperation edges) {
  const int64_t most = (INT64_C(1) << AGILE_COUNT_BITS) - 1 - AGILE_MOST_EXTRAS;
  const program_edge_list *l;
  bool is_short = true;
  status failed = program_host_edge_list(host, edges, &l);
  if (failed || l->edges <= most) {
    status_free(failed);
    return !failed;
  }
  int64_t *count = calloc((size_t)l->to_rows + 1, sizeof *count);
  for (int64_t i = 0; count && is_short && i < l->edges - l->loops; i++) is_short = ++count[l->dst[i]] < most;
  is_short = is_short && count;
  free(count);
  return is_short;
}

static const char *refuse_sum(MlirOperation op, program_host *host, const agile_device *d) {
  MlirValue values = ir_operand(op, IR_IN(device, spdmm, values)), in = ir_operand(op, IR_IN(device, spdmm, in));
  int64_t heads = ir_value_is_null(values) ? 1 : ir_type_of(values).dims[0];
  if (!ir_string_is(op, "reduce", "sum")) return "the device has no maximum or minimum";
  if (ir_value_is_null(in)) return "it adds up values of edges, without rows";
  if (operand_is_copy(op) && !place_is_from_device(in)) return "it copies rows that are in the host's memory";
  if (operand_is_copy(op) && !place_has_sum_users(ir_result(op))) return "it copies rows for the host";
  if (heads > 1 && !agile_rows_have_heads(in, heads, d)) return "the columns of a head are not in one message";
  if (!ir_value_is_null(values) && !place_has_few_values(op, host)) return "it has 2^31 values of edges or more";
  return NULL;
}

/* Parts of the rows, and an addend and a bias, become neighbours of one sum. */
static const char *refuse_product(MlirValue in, const agile_device *d) {
  int64_t part = agile_rows_part(in, d), parts = (operand_width(in) + part - 1) / part;
  return parts + 2 > AGILE_MOST_EXTRAS ? "its rows have too many parts" : NULL;
}

/* The edge list of a sum or layer; null for products. */
static MlirOperation list_of(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, spdmm): return operand_edges(ir_operand(op, IR_IN(device, spdmm, edges)));
  case IR_OP(device, layer): return operand_edges(ir_operand(op, IR_IN(device, layer, edges)));
  default: return (MlirOperation){NULL};
  }
}

/* Whether a sum is what split_bias (backend.c) made of a product of the device. */
static bool is_bias_of_output(MlirOperation vadd) {
  bool is_sum = ir_string_is(vadd, "function", "add") && place_is_from_device(ir_operand(vadd, IR_IN(device, vadd, a)));
  return is_sum && ir_type_of(ir_operand(vadd, IR_IN(device, vadd, b))).kind == IR_KIND_plain;
}

const char *agile_refuse(MlirOperation op, program_host *host, const agile_device *d) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm):
  case IR_OP(device, layer):
  case IR_OP(device, spdmm): break;
  case IR_OP(device, sddmm): return "the device has no products per edge";
  case IR_OP(device, vadd):
    if (is_bias_of_output(op)) return "it adds the bias of an output, whose rows go there";
    return "the device has no element-wise functions but relu and leaky_relu";
  case IR_OP(device, columns):
  case IR_OP(device, concat): return "it moves columns that are in the host's memory";
  default: return "the device has no element-wise functions but relu and leaky_relu";
  }
  MlirOperation edges = list_of(op);
  if (!has_few_rows(host, ir_result(op))) return "it has more than 2^20 rows";
  if (!mlirOperationIsNull(edges) && !has_short_lists(host, edges)) return "a row has about 2^20 neighbours";
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): return refuse_product(ir_operand(op, IR_IN(device, gemm, in)), d);
  case IR_OP(device, layer): return refuse_product(ir_operand(op, IR_IN(device, layer, in)), d);
  default: return refuse_sum(op, host, d);
  }
}
