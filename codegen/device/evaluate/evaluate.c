/* Implements program_host_evaluate, which computes each value once, by the operation that makes it. */
#include "codegen/device/evaluate/evaluate.h"

#include <string.h>

/* Makes a plain matrix [rows, N] with one 1 per column: see gnn.selection. */
static status make_selection(program_host *h, MlirOperation op, program_array *out) {
  int64_t rows = ir_get_integer(op, "rows", 1), columns = out->width / rows;
  int64_t begin = ir_get_integer(op, "begin", 0);
  size_t rank = ir_get_array_size(op, "shape");
  float *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, out->width, &made));
  memset(made, 0, (size_t)out->width * sizeof *made);
  for (int64_t n = 0; n < columns; n++) {
    int64_t row = begin, rest = n;
    for (size_t d = rank; d-- > 0;) {
      int64_t size = ir_get_integer_at(op, "shape", d);
      row += rest % size * ir_get_integer_at(op, "strides", d);
      rest /= size;
    }
    if (row >= 0 && row < rows) made[row * columns + n] = 1;
  }
  out->data = made;
  return STATUS_OK;
}

static status make_iota(program_host *h, program_array *out) {
  float *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, out->width, &made));
  for (int64_t i = 0; i < out->width; i++) made[i] = (float)i;
  out->data = made;
  return STATUS_OK;
}

static status make_constant(program_host *h, MlirOperation op, program_array *out) {
  float *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, 1, &made));
  *made = (float)ir_get_float(op, "value", 0);
  out->data = made;
  return STATUS_OK;
}

static status evaluate(program_host *h, MlirValue value, program_array *out) {
  MlirOperation op = ir_defining_op(value);
  ir_type type = ir_type_of(value);
  *out = (program_array){.rows = 1, .width = ir_type_elements(type)};
  if (type.kind != IR_KIND_plain && type.kind != IR_KIND_node && type.kind != IR_KIND_edge && type.kind != IR_KIND_per)
    return status_error(STATUS_CODE_unsupported, "the host computes no value of this kind");
  if (mlirOperationIsNull(op) || ir_weight_symbol(op)) return host_read_value(h, value, out);
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, constant): return make_constant(h, op, out);
  case IR_OP(gnn, selection): return make_selection(h, op, out);
  case IR_OP(gnn, iota): return make_iota(h, out);
  default: break;
  }
  RETURN_IF_ERROR(host_rows_of_type(h, type, &out->rows));
  if (evaluate_is_graph(op)) return evaluate_graph(h, op, out);
  return evaluate_tree(h, value, out);
}

status program_host_evaluate(program_host *h, MlirValue value, program_array *out) {
  const program_array *known = map_get_pointer(&h->arrays, value.ptr);
  if (!known) {
    program_array *made = arena_alloc(h->memory, sizeof *made);
    status s = evaluate(h, value, made);
    const char *name = ir_location_name(mlirValueGetLocation(value));
    if (s) return name ? status_context(s, "value '%s'", name) : s;
    map_set_pointer(&h->arrays, value.ptr, made);
    known = made;
  }
  *out = *known;
  return STATUS_OK;
}
