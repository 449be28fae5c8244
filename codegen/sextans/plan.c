/* Chooses how the operations of the device become launches.
 *
 *   spdmm                 A = the edge list, B = the rows
 *   spdmm with values     the same; the host writes the values of a head into the slots before its launch
 *   gemm, form rows       A = the rows with all numbers as non-zeros, B = the weights
 *   gemm, form weights    A = the weights transposed, B = the rows transposed, C = the result transposed */
#include "codegen/sextans/program.h"

#include "codegen/device/operand.h"
#include "codegen/device/steps/place.h"
#include "codegen/device/steps/step_private.h"

#include <string.h>

const char *sextans_name_of(MlirOperation op) {
  return step_name_of(op, ir_op_name(op));
}

/* The kinds of edge lists with at most one edge per destination. */
static const char *const copies[] = {"gather_src", "gather_dst", "expand",   "collapse_src", "collapse_dst",
                                     "type_edge",  "type_node",  "unpool",   "part",         "unite",
                                     "others",     "extend",     "broadcast"};

bool sextans_plan_is_copy(MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(device, spdmm) || !ir_string_is(op, "reduce", "sum")) return false;
  if (ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, in)))) return false;
  if (!ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, values)))) return false;
  MlirOperation edges = operand_edges(ir_operand(op, IR_IN(device, spdmm, edges)));
  if (!ir_value_is_null(ir_operand(edges, IR_IN(device, edges, weight))) || ir_get_bool(edges, "mean")) return false;
  for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
    if (ir_string_is(edges, "kind", copies[i])) return true;
  return false;
}

static bool has_few_rows(program_host *host, MlirValue rows) {
  int64_t count = 0;
  status failed = program_host_set_rows(host, ir_type_of(rows).set, &count);
  bool is_few = !failed && count <= SEXTANS_MOST_COLUMNS;
  status_free(failed);
  return is_few;
}

/* A zero of a selection takes no part, also against infinity: such weights can only be A. */
static bool runs_gemm(MlirOperation op, program_host *host) {
  MlirValue w = ir_operand(op, IR_IN(device, gemm, w));
  if (sextans_width(ir_result(op)) > SEXTANS_MOST_COLUMNS) return false;
  if (!operand_has_selection(w)) return true;
  return ir_type_of(w).kind != IR_KIND_per && has_few_rows(host, ir_result(op));
}

static bool runs_spdmm(MlirOperation op) {
  MlirValue bias = ir_operand(op, IR_IN(device, spdmm, bias)), values = ir_operand(op, IR_IN(device, spdmm, values));
  int64_t columns = sextans_width(ir_result(op));
  if (!ir_string_is(op, "reduce", "sum") || columns > SEXTANS_MOST_COLUMNS) return false;
  if (ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, in))) || sextans_plan_is_copy(op)) return false;
  if (!ir_value_is_null(bias) && ir_type_of(bias).kind == IR_KIND_per) return false;
  return ir_value_is_null(values) || columns % ir_type_of(values).dims[0] == 0;
}

bool sextans_plan_runs(MlirOperation op, program_host *host) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): return runs_gemm(op, host);
  case IR_OP(device, spdmm): return runs_spdmm(op);
  default: return false;
  }
}

status sextans_plan_operations(sextans_program *p) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op) || place_is_on_host(op)) continue;
    sextans_operation o = {.op = op, .layer = (int32_t)p->operations.count, .heads = 1};
    RETURN_IF_ERROR(ir_op_kind(op) == IR_OP(device, gemm) ? sextans_plan_gemm(p, &o) : sextans_plan_spdmm(p, &o));
    sextans_store_reserve(p, &o);
    VEC_PUSH(p->arena, &p->operations, o);
    map_set(&p->operation_of, op.ptr, (int64_t)p->operations.count);
  }
  return STATUS_OK;
}
