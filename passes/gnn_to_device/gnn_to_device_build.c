/* gnn-to-device: builds operations of the device level, and fuses functions, biases and sums with
 * the operation that makes their operand (GraphAGILE, Section VI-D).
 *
 *   %1 = spdmm(%r, %z); relu(%1 + %bias)   becomes   %1 = spdmm(%r, %z, bias = %bias) {functions = ["relu"]}
 *
 * A null value represents an operation that could not be built, which was reported; everything
 * built from it is null too. */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_FUNCTIONS = 16 };

static MlirValue built(to_device *l, ir_op op, const MlirValue *operands, const ir_attr *attributes) {
  MlirValue made = ir_build_value(&l->b, op, operands, attributes);
  if (ir_value_is_null(made)) l->ok = false;
  return made;
}

/* ---- edge lists ---- */

MlirValue to_device_list_edges(to_device *l, to_device_edge_list_spec s) {
  const MlirValue operands[IR_MAX_OPERANDS] = {s.of, s.pairs, s.weight};
  if (ir_value_is_null(s.of)) return s.of;
  const char *key = arena_printf(l->p->arena, "%s %p %p %p %" PRId64 " %s %s %d", s.kind, s.of.ptr, s.pairs.ptr,
                                 s.weight.ptr, s.type, s.per ? s.per : "", s.to ? s.to : "", s.mean);
  for (size_t i = 0; i < l->edge_lists.count; i++)
    if (!strcmp(l->edge_lists.items[i].key, key)) return l->edge_lists.items[i].value;
  MlirContext c = l->p->context;
  bool is_typed = !strcmp(s.kind, "part") || !strcmp(s.kind, "unite") || !strcmp(s.kind, "others");
  const ir_attr attributes[] = {{"kind", ir_attr_string(c, s.kind)},
                                {"type", is_typed ? ir_attr_integer(c, s.type) : (MlirAttribute){NULL}},
                                {"per", s.per ? ir_attr_string(c, s.per) : (MlirAttribute){NULL}},
                                {"to", s.to ? ir_attr_string(c, s.to) : (MlirAttribute){NULL}},
                                {"mean", ir_attr_bool(c, s.mean)},
                                {NULL, {NULL}}};
  MlirValue made = built(l, IR_OP(device, edges), operands, attributes);
  if (!ir_value_is_null(made)) VEC_PUSH(l->p->arena, &l->edge_lists, (to_device_edge_list){key, made});
  return made;
}

/* ---- operations ---- */

MlirValue to_device_spdmm(to_device *l, MlirValue edge_list, MlirValue rows, MlirValue values, const char *reduce) {
  if (ir_value_is_null(edge_list) || (ir_value_is_null(rows) && ir_value_is_null(values))) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {edge_list, rows, values};
  const ir_attr attributes[] = {{"reduce", ir_attr_string(l->p->context, reduce)}, {NULL, {NULL}}};
  return built(l, IR_OP(device, spdmm), operands, attributes);
}

MlirValue to_device_move(to_device *l, to_device_edge_list_spec spec, MlirValue rows) {
  return to_device_spdmm(l, to_device_list_edges(l, spec), rows, (MlirValue){NULL}, "sum");
}

MlirValue to_device_gemm(to_device *l, MlirValue rows, MlirValue w, MlirValue bias, MlirValue addend, bool transposed) {
  if (ir_value_is_null(rows) || ir_value_is_null(w)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {rows, w, bias, addend};
  const ir_attr attributes[] = {{"transposed", ir_attr_bool(l->p->context, transposed)}, {NULL, {NULL}}};
  return built(l, IR_OP(device, gemm), operands, attributes);
}

MlirValue to_device_product(to_device *l, MlirValue rows, MlirValue w, bool transposed) {
  if (ir_value_is_null(rows) || ir_value_is_null(w)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {rows, w};
  const ir_attr attributes[] = {{"transposed", ir_attr_bool(l->p->context, transposed)}, {NULL, {NULL}}};
  return built(l, IR_OP(device, product), operands, attributes);
}

MlirValue to_device_outer_sum(to_device *l, MlirValue a, MlirValue b) {
  if (ir_value_is_null(a) || ir_value_is_null(b)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {a, b};
  return built(l, IR_OP(device, outer_sum), operands, NULL);
}

MlirValue to_device_vadd(to_device *l, const char *function, MlirValue a, MlirValue b, MlirValue condition) {
  if (ir_value_is_null(a) || ir_value_is_null(b)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {a, b, condition};
  bool is_one = ir_type_elements(ir_type_of(b)) == 1 && to_device_width(a) > 1;
  const ir_attr attributes[] = {{"function", ir_attr_string(l->p->context, function)},
                                {"bcast", ir_attr_bool(l->p->context, is_one)},
                                {NULL, {NULL}}};
  return built(l, IR_OP(device, vadd), operands, attributes);
}

/* ---- fusion with the operation that makes the operand ---- */

/* The operation that makes x, if functions may follow it; else null. */
static MlirOperation open_producer(const to_device *l, MlirValue x) {
  MlirOperation op = ir_defining_op(x);
  if (mlirOperationIsNull(op) || !to_device_is_exclusive(l, x)) return (MlirOperation){NULL};
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm):
  case IR_OP(device, spdmm):
  case IR_OP(device, sddmm):
  case IR_OP(device, vadd):
  case IR_OP(device, scaled_add):
  case IR_OP(device, map):
  case IR_OP(device, values_vadd): return op;
  default: return (MlirOperation){NULL};
  }
}

static void append_function(to_device *l, MlirOperation op, const char *function) {
  const char *list[MAX_FUNCTIONS];
  size_t count = ir_get_array_size(op, "functions");
  for (size_t i = 0; i < count; i++) list[i] = ir_get_string_at(op, "functions", i);
  list[count++] = function;
  ir_set_attr(op, "functions", ir_attr_strings(l->p->context, list, count));
  mlirOperationSetLocation(op, l->b.location);
}

/* Whether functions become part of the operation that makes their operand. Functions of values of
 * edges always do, and several consecutive functions are one operation. */
static bool takes_functions(const to_device *l, MlirOperation producer) {
  if (mlirOperationIsNull(producer)) return false;
  ir_op kind = ir_op_kind(producer);
  bool has_values = kind == IR_OP(device, sddmm) || kind == IR_OP(device, values_vadd);
  return l->is_fusing || has_values || kind == IR_OP(device, map);
}

MlirValue to_device_map(to_device *l, MlirValue x, const char *function) {
  if (ir_value_is_null(x)) return x;
  MlirOperation producer = open_producer(l, x);
  if (takes_functions(l, producer) && ir_get_array_size(producer, "functions") + 1 < MAX_FUNCTIONS) {
    append_function(l, producer, function);
    return x;
  }
  const ir_attr attributes[] = {{"functions", ir_attr_strings(l->p->context, &function, 1)}, {NULL, {NULL}}};
  return built(l, IR_OP(device, map), &x, attributes);
}

MlirValue to_device_map_number(to_device *l, MlirValue x, const char *function, double number) {
  return to_device_map(l, x, arena_printf(l->p->arena, "%s %.9g", function, (double)(float)number));
}

MlirValue to_device_activate(to_device *l, MlirOperation op, MlirValue x) {
  elementwise_unary function = ir_unary_of(op);
  if (function == UNARY_none) return x;
  const char *call = elementwise_unaries[function].name;
  for (int i = 0; i < elementwise_count_parameters(function); i++)
    call = arena_printf(l->p->arena, "%s %.9g", call, (double)(float)ir_unary_number(op, i));
  return to_device_map(l, x, call);
}

/* The product or sum that makes x, if nothing follows it yet and its operand `position` is free;
 * else null. */
static MlirOperation open_sum(const to_device *l, MlirValue x, int gemm, int spdmm) {
  MlirOperation op = open_producer(l, x), none = {NULL};
  if (mlirOperationIsNull(op) || ir_get_array_size(op, "functions")) return none;
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(device, gemm)) return ir_value_is_null(ir_operand(op, gemm)) ? op : none;
  if (kind != IR_OP(device, spdmm) || !ir_string_is(op, "reduce", "sum")) return none;
  return ir_value_is_null(ir_operand(op, spdmm)) ? op : none;
}

static MlirValue with_operand(to_device *l, MlirOperation op, int position, MlirValue operand) {
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(op, operands);
  operands[position] = operand;
  MlirValue made = gnn_build_like(&l->b, op, operands, NULL);
  if (ir_value_is_null(made))
    l->ok = false;
  else
    mlirOperationDestroy(op);
  return made;
}

MlirValue to_device_fuse_bias(to_device *l, MlirValue x, MlirValue bias) {
  MlirOperation op = open_sum(l, x, IR_IN(device, gemm, bias), IR_IN(device, spdmm, bias));
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  bool is_gemm = ir_op_kind(op) == IR_OP(device, gemm);
  return with_operand(l, op, is_gemm ? IR_IN(device, gemm, bias) : IR_IN(device, spdmm, bias), bias);
}

MlirValue to_device_fuse_addend(to_device *l, MlirValue x, MlirValue addend) {
  MlirOperation op = open_sum(l, x, IR_IN(device, gemm, addend), IR_IN(device, spdmm, addend));
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  bool is_gemm = ir_op_kind(op) == IR_OP(device, gemm);
  return with_operand(l, op, is_gemm ? IR_IN(device, gemm, addend) : IR_IN(device, spdmm, addend), addend);
}

/* ---- columns ---- */

/* Whether a selection is columns begin .. begin + N - 1 in their order. */
static bool is_window(to_device_selection s) {
  return s.rank == 1 && s.strides[0] == 1 && s.begin >= 0 && s.begin + s.shape[0] <= s.rows;
}

MlirValue to_device_select(to_device *l, MlirValue x, to_device_selection s) {
  if (ir_value_is_null(x)) return x;
  if (is_window(s) && s.begin == 0 && s.shape[0] == s.rows) return x;
  if (is_window(s) && s.begin % l->width == 0) {
    const ir_attr attributes[] = {{"begin", ir_attr_integer(l->p->context, s.begin)},
                                  {"width", ir_attr_integer(l->p->context, s.shape[0])},
                                  {NULL, {NULL}}};
    return built(l, IR_OP(device, columns), &x, attributes);
  }
  return to_device_gemm(l, x, to_device_build_selection(l, s), (MlirValue){NULL}, (MlirValue){NULL}, false);
}

MlirValue to_device_place(to_device *l, MlirValue x, to_device_selection s) {
  return to_device_gemm(l, x, to_device_build_selection(l, s), (MlirValue){NULL}, (MlirValue){NULL}, true);
}
