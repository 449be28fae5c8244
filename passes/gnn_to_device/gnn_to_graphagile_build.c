/* gnn-to-graphagile: building Layer Blocks, and putting functions, biases and sums into the one that makes their operand (GraphAGILE section VI-D).
 *
 *   %1 = spdmm(%r, %z); relu(%1 + %bias)   becomes   %1 = spdmm(%r, %z, bias = %bias) {functions = ["relu"]}
 *
 * A null value stands for an operation that could not be built and was reported; what is built from it is null too. */
#include "passes/gnn_to_device/gnn_to_graphagile.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_FUNCTIONS = 16 };

static MlirValue built(to_agile *l, ir_op op, const MlirValue *operands, const ir_attr *attributes) {
  MlirValue made = ir_build_value(&l->b, op, operands, attributes);
  if (ir_value_is_null(made)) l->ok = false;
  return made;
}

/* ---- relations ---- */

MlirValue to_agile_relate(to_agile *l, to_agile_relation_spec s) {
  const MlirValue operands[IR_MAX_OPERANDS] = {s.of, s.pairs, s.weight};
  if (ir_value_is_null(s.of)) return s.of;
  const char *key = arena_printf(l->p->arena, "%s %p %p %p %" PRId64 " %s %s %d", s.kind, s.of.ptr, s.pairs.ptr,
                                 s.weight.ptr, s.type, s.per ? s.per : "", s.to ? s.to : "", s.mean);
  for (size_t i = 0; i < l->relations.count; i++)
    if (!strcmp(l->relations.items[i].key, key)) return l->relations.items[i].value;
  MlirContext c = l->p->context;
  bool is_typed = !strcmp(s.kind, "part") || !strcmp(s.kind, "unite") || !strcmp(s.kind, "others");
  const ir_attr attributes[] = {{"kind", ir_attr_string(c, s.kind)},
                                {"type", is_typed ? ir_attr_integer(c, s.type) : (MlirAttribute){NULL}},
                                {"per", s.per ? ir_attr_string(c, s.per) : (MlirAttribute){NULL}},
                                {"to", s.to ? ir_attr_string(c, s.to) : (MlirAttribute){NULL}},
                                {"mean", ir_attr_bool(c, s.mean)},
                                {NULL, {NULL}}};
  MlirValue made = built(l, IR_OP(graphagile, relation), operands, attributes);
  if (!ir_value_is_null(made)) VEC_PUSH(l->p->arena, &l->relations, (to_agile_relation){key, made});
  return made;
}

/* ---- Layer Blocks ---- */

MlirValue to_agile_spdmm(to_agile *l, MlirValue relation, MlirValue rows, MlirValue values, const char *reduce) {
  if (ir_value_is_null(relation) || (ir_value_is_null(rows) && ir_value_is_null(values))) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {relation, rows, values};
  const ir_attr attributes[] = {{"reduce", ir_attr_string(l->p->context, reduce)}, {NULL, {NULL}}};
  return built(l, IR_OP(graphagile, spdmm), operands, attributes);
}

MlirValue to_agile_move(to_agile *l, to_agile_relation_spec spec, MlirValue rows) {
  return to_agile_spdmm(l, to_agile_relate(l, spec), rows, (MlirValue){NULL}, "sum");
}

MlirValue to_agile_gemm(to_agile *l, MlirValue rows, MlirValue w, MlirValue bias, MlirValue addend, bool transposed) {
  if (ir_value_is_null(rows) || ir_value_is_null(w)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {rows, w, bias, addend};
  const ir_attr attributes[] = {{"transposed", ir_attr_bool(l->p->context, transposed)}, {NULL, {NULL}}};
  return built(l, IR_OP(graphagile, gemm), operands, attributes);
}

MlirValue to_agile_vadd(to_agile *l, const char *function, MlirValue a, MlirValue b, MlirValue condition) {
  if (ir_value_is_null(a) || ir_value_is_null(b)) return (MlirValue){NULL};
  const MlirValue operands[IR_MAX_OPERANDS] = {a, b, condition};
  bool is_one = ir_type_elements(ir_type_of(b)) == 1 && to_agile_width(a) > 1;
  const ir_attr attributes[] = {{"function", ir_attr_string(l->p->context, function)},
                                {"bcast", ir_attr_bool(l->p->context, is_one)},
                                {NULL, {NULL}}};
  return built(l, IR_OP(graphagile, vadd), operands, attributes);
}

/* ---- into what is there ---- */

/* The operation that makes x, where functions may follow it: null otherwise. */
static MlirOperation open_producer(const to_agile *l, MlirValue x) {
  MlirOperation op = ir_defining_op(x);
  if (mlirOperationIsNull(op) || !to_agile_is_exclusive(l, x)) return (MlirOperation){NULL};
  switch (ir_op_kind(op)) {
  case IR_OP(graphagile, gemm):
  case IR_OP(graphagile, spdmm):
  case IR_OP(graphagile, sddmm):
  case IR_OP(graphagile, vadd):
  case IR_OP(graphagile, scaled_add):
  case IR_OP(graphagile, map):
  case IR_OP(graphagile, values_vadd): return op;
  default: return (MlirOperation){NULL};
  }
}

static void append_function(to_agile *l, MlirOperation op, const char *function) {
  const char *list[MAX_FUNCTIONS];
  size_t count = ir_get_array_size(op, "functions");
  for (size_t i = 0; i < count; i++) list[i] = ir_get_string_at(op, "functions", i);
  list[count++] = function;
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("functions"),
                                  ir_attr_strings(l->p->context, list, count));
  mlirOperationSetLocation(op, l->b.location);
}

/* Functions of values are never layers of their own, and several functions one after another are one. */
static bool takes_functions(const to_agile *l, MlirOperation producer) {
  if (mlirOperationIsNull(producer)) return false;
  ir_op kind = ir_op_kind(producer);
  bool has_values = kind == IR_OP(graphagile, sddmm) || kind == IR_OP(graphagile, values_vadd);
  return l->is_fusing || has_values || kind == IR_OP(graphagile, map);
}

MlirValue to_agile_map(to_agile *l, MlirValue x, const char *function) {
  if (ir_value_is_null(x)) return x;
  MlirOperation producer = open_producer(l, x);
  if (takes_functions(l, producer) && ir_get_array_size(producer, "functions") + 1 < MAX_FUNCTIONS) {
    append_function(l, producer, function);
    return x;
  }
  const ir_attr attributes[] = {{"functions", ir_attr_strings(l->p->context, &function, 1)}, {NULL, {NULL}}};
  return built(l, IR_OP(graphagile, map), &x, attributes);
}

MlirValue to_agile_map_number(to_agile *l, MlirValue x, const char *function, double number) {
  return to_agile_map(l, x, arena_printf(l->p->arena, "%s %.9g", function, (double)(float)number));
}

MlirValue to_agile_activate(to_agile *l, MlirOperation op, MlirValue x) {
  bool is_activation = ir_op_kind(op) == IR_OP(gnn, activation);
  const char *function = is_activation ? ir_get_string(op, "function", "") : gnn_activation_of(op);
  if (!function) return x;
  bool has_number = !strcmp(function, "leaky_relu") || !strcmp(function, "elu");
  double fallback = !strcmp(function, "elu") ? 1 : 0.01;
  return has_number ? to_agile_map_number(l, x, function, ir_get_float(op, "slope", fallback))
                    : to_agile_map(l, x, function);
}

/* A product or sum that nothing follows yet, with operand `position` free. */
static MlirOperation open_sum(const to_agile *l, MlirValue x, int gemm, int spdmm) {
  MlirOperation op = open_producer(l, x), none = {NULL};
  if (mlirOperationIsNull(op) || ir_get_array_size(op, "functions")) return none;
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(graphagile, gemm)) return ir_value_is_null(ir_operand(op, gemm)) ? op : none;
  if (kind != IR_OP(graphagile, spdmm) || strcmp(ir_get_string(op, "reduce", ""), "sum") != 0) return none;
  return ir_value_is_null(ir_operand(op, spdmm)) ? op : none;
}

static MlirValue with_operand(to_agile *l, MlirOperation op, int position, MlirValue operand) {
  MlirValue operands[IR_MAX_OPERANDS];
  gnn_operands_get(op, operands);
  operands[position] = operand;
  MlirValue made = gnn_build_like(&l->b, op, operands, NULL);
  if (ir_value_is_null(made))
    l->ok = false;
  else
    mlirOperationDestroy(op);
  return made;
}

MlirValue to_agile_fuse_bias(to_agile *l, MlirValue x, MlirValue bias) {
  MlirOperation op = open_sum(l, x, IR_IN(graphagile, gemm, bias), IR_IN(graphagile, spdmm, bias));
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  bool is_gemm = ir_op_kind(op) == IR_OP(graphagile, gemm);
  return with_operand(l, op, is_gemm ? IR_IN(graphagile, gemm, bias) : IR_IN(graphagile, spdmm, bias), bias);
}

MlirValue to_agile_fuse_addend(to_agile *l, MlirValue x, MlirValue addend) {
  MlirOperation op = open_sum(l, x, IR_IN(graphagile, gemm, addend), IR_IN(graphagile, spdmm, addend));
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  bool is_gemm = ir_op_kind(op) == IR_OP(graphagile, gemm);
  return with_operand(l, op, is_gemm ? IR_IN(graphagile, gemm, addend) : IR_IN(graphagile, spdmm, addend), addend);
}

/* ---- columns ---- */

/* Columns begin .. begin + N - 1 in their order. */
static bool is_window(to_agile_selection s) {
  return s.rank == 1 && s.strides[0] == 1 && s.begin >= 0 && s.begin + s.shape[0] <= s.rows;
}

MlirValue to_agile_select(to_agile *l, MlirValue x, to_agile_selection s) {
  if (ir_value_is_null(x)) return x;
  if (is_window(s) && s.begin == 0 && s.shape[0] == s.rows) return x;
  if (is_window(s) && s.begin % l->width == 0) {
    const ir_attr attributes[] = {{"begin", ir_attr_integer(l->p->context, s.begin)},
                                  {"width", ir_attr_integer(l->p->context, s.shape[0])},
                                  {NULL, {NULL}}};
    return built(l, IR_OP(graphagile, columns), &x, attributes);
  }
  return to_agile_gemm(l, x, to_agile_build_selection(l, s), (MlirValue){NULL}, (MlirValue){NULL}, false);
}

MlirValue to_agile_place(to_agile *l, MlirValue x, to_agile_selection s) {
  return to_agile_gemm(l, x, to_agile_build_selection(l, s), (MlirValue){NULL}, (MlirValue){NULL}, true);
}
