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
#include "support/number.h"

#include <string.h>

const char *sextans_name_of(MlirOperation op) {
  return step_name_of(op, ir_op_kind(op) == IR_OP(device, gemm) ? "a product" : "a sum");
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

bool sextans_plan_is_plain_copy(MlirOperation op) {
  return sextans_plan_is_copy(op) && !ir_get_array_size(op, "functions") &&
         ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, bias))) &&
         ir_value_is_null(ir_operand(op, IR_IN(device, spdmm, addend)));
}

static bool has_rows_up_to(program_host *host, MlirValue rows, int64_t most) {
  int64_t count = 0;
  status failed = program_host_set_rows(host, ir_type_of(rows).set, &count);
  bool is_few = !failed && count <= most;
  status_free(failed);
  return is_few;
}

/* Indices of non-zeros have 32 bits. */
static bool can_be_lists(program_host *host, MlirValue rows) {
  return has_rows_up_to(host, rows, INT32_MAX / number_max(sextans_width(rows), 1));
}

/* A zero of a selection takes no part, also against infinity: such weights are A, or their blocks
 * are B one by one. */
static bool runs_gemm(MlirOperation op, program_host *host) {
  MlirValue w = ir_operand(op, IR_IN(device, gemm, w));
  if (sextans_width(ir_result(op)) > SEXTANS_MOST_COLUMNS) return false;
  if (!can_be_lists(host, ir_operand(op, IR_IN(device, gemm, in)))) return false;
  if (!operand_has_selection(w)) return true;
  return ir_type_of(w).kind == IR_KIND_per ? sextans_plan_count_blocks(op, host)
                                           : has_rows_up_to(host, ir_result(op), SEXTANS_MOST_COLUMNS);
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

/* Whether all users of a copy are products that read through it. */
static bool is_read_through(const sextans_program *p, MlirOperation copy) {
  MlirValue rows = ir_result(copy);
  for (MlirOpOperand use = mlirValueGetFirstUse(rows); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    int64_t number = map_get(&p->operation_of, mlirOpOperandGetOwner(use).ptr, 0);
    const sextans_operation *o = number ? &p->operations.items[number - 1] : NULL;
    if (!o || o->form != SEXTANS_FORM_rows || ir_op_kind(o->op) != IR_OP(device, gemm)) return false;
    if (!o->source_row || !mlirValueEqual(ir_operand(o->op, IR_IN(device, gemm, in)), rows)) return false;
    MlirValue addend = ir_operand(o->op, IR_IN(device, gemm, addend));
    if (!ir_value_is_null(addend) && mlirValueEqual(addend, rows)) return false;
  }
  return true;
}

/* Takes copies from the host that nobody reads any more. */
static void drop_copies(const sextans_program *p) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function))
    if (sextans_plan_is_plain_copy(op) && place_is_on_host(op) && is_read_through(p, op))
      ir_set_attr(op, "unit", ir_attr_string(mlirOperationGetContext(op), "device"));
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
  drop_copies(p);
  return STATUS_OK;
}
