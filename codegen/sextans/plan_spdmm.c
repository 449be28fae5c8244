/* Plans a sum over an edge list: the list becomes A. */
#include "codegen/sextans/program.h"

#include "codegen/device/matrix.h"

/* The matrix of an edge list. */
static status matrix_of(sextans_program *p, const program_edge_list *l, bool has_values, sextans_matrix *out) {
  matrix_entries m;
  RETURN_IF_ERROR(matrix_read_entries(p->arena, p->host, l, !has_values && !p->no_data, &m));
  *out = (sextans_matrix){m.rows, m.cols, m.count, m.row, m.col, m.value};
  return STATUS_OK;
}

static bool is_constant(MlirValue rows) {
  return ir_op_kind(ir_defining_op(rows)) == IR_OP(device, constant);
}

/* Keeps rows that are a constant in device memory as B. */
static status store_rows(sextans_program *p, MlirValue in, const sextans_lists *l, sextans_constant **out) {
  const int32_t *order = NULL;
  program_array array = {0};
  int64_t rows, columns = operand_width(in);
  const char *key = arena_printf(p->arena, "%p %p", in.ptr, (const void *)l->column_of);
  *out = map_get_pointer(&p->constant_of, key);
  if (*out) return STATUS_OK;
  RETURN_IF_ERROR(program_host_set_rows(p->host, ir_type_of(in).set, &rows));
  RETURN_IF_ERROR(program_host_set_order(p->host, ir_type_of(in).set, &order));
  if (order) return STATUS_OK; /* B is then written when the program runs */
  MlirValue x = mlirOperationGetOperand(ir_defining_op(in), 0);
  if (!p->no_data) RETURN_IF_ERROR(program_host_evaluate(p->host, x, &array));
  if (array.data && array.rows * array.width != rows * columns) return STATUS_OK;
  RETURN_IF_ERROR(sextans_store_constant(p, array.data, columns, l, out));
  map_set_pointer(&p->constant_of, key, *out);
  return STATUS_OK;
}

status sextans_plan_spdmm(sextans_program *p, sextans_operation *o) {
  const program_edge_list *list;
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, spdmm, edges)));
  MlirValue values = ir_operand(o->op, IR_IN(device, spdmm, values)), in = ir_operand(o->op, IR_IN(device, spdmm, in));
  bool has_values = !ir_value_is_null(values);
  bool has_start = !ir_value_is_null(ir_operand(o->op, IR_IN(device, spdmm, bias))) ||
                   !ir_value_is_null(ir_operand(o->op, IR_IN(device, spdmm, addend)));
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &list));
  o->form = has_values ? SEXTANS_FORM_values : SEXTANS_FORM_list;
  o->heads = has_values ? ir_type_of(values).dims[0] : 1;
  o->columns = operand_width(ir_result(o->op));
  o->multiply_adds = (uint64_t)(list->edges * o->columns);
  sextans_lists_options options = {
      .n = o->columns / o->heads, .keeps_rows = has_start, .keeps_zeros = true, .pool = list->pool};
  const char *key =
      arena_printf(p->arena, "edges %p%s%s", edges.ptr, has_values ? " values" : "", has_start ? " all rows" : "");
  o->lists = sextans_store_find(p, key);
  if (!o->lists) {
    sextans_matrix m;
    RETURN_IF_ERROR(matrix_of(p, list, has_values, &m));
    RETURN_IF_ERROR(sextans_store_lists(p, key, step_operation_name(edges), &m, &options, &o->lists));
  }
  return is_constant(in) && sextans_is_aligned(o) ? store_rows(p, in, &o->lists->blocks[0], &o->b) : STATUS_OK;
}
