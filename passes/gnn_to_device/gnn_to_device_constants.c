/* gnn-to-device: matrices and rows that the host computes from constants, as operations of the gnn
 * level.
 *
 * On the device only products rearrange columns: x @ gnn.selection repeats [H] over [H, C], picks
 * columns, swaps dimensions; with the transposed selection it sums over heads. A selection is a
 * short description; where the result is block-diagonal, the host multiplies it with the
 * weights. */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

MlirValue to_device_build_selection(to_device *l, to_device_selection s) {
  MlirContext c = l->p->context;
  const ir_attr attributes[] = {{"rows", ir_attr_integer(c, s.rows)},
                                {"shape", ir_attr_integers(c, s.shape, s.rank)},
                                {"strides", ir_attr_integers(c, s.strides, s.rank)},
                                {"begin", s.begin ? ir_attr_integer(c, s.begin) : (MlirAttribute){NULL}},
                                {NULL, {NULL}}};
  MlirValue made = ir_build_value(&l->b, IR_OP(gnn, selection), NULL, attributes);
  if (ir_value_is_null(made)) l->ok = false;
  return made;
}

MlirValue to_device_reshape(to_device *l, MlirValue x, unsigned rank, const int64_t *dims) {
  if (ir_value_is_null(x) || ir_payload_equal(ir_type_of(x), ir_type_plain(rank, dims))) return x;
  const ir_attr attributes[] = {{"shape", ir_attr_integers(l->p->context, dims, rank)}, {NULL, {NULL}}};
  MlirValue made = ir_build_value(&l->b, IR_OP(gnn, reshape), &x, attributes);
  if (ir_value_is_null(made)) l->ok = false;
  return made;
}

MlirValue to_device_flat(to_device *l, MlirValue x) {
  int64_t elements = ir_type_elements(ir_type_of(x));
  return to_device_reshape(l, x, 1, &elements);
}

MlirValue to_device_select_constant(to_device *l, MlirValue c, to_device_selection s) {
  const int64_t row[] = {1, s.rows};
  int64_t columns = 1;
  for (unsigned i = 0; i < s.rank; i++) columns *= s.shape[i];
  MlirValue x = to_device_reshape(l, c, 2, row);
  if (ir_value_is_null(x)) return x;
  const MlirValue operands[IR_MAX_OPERANDS] = {x, to_device_build_selection(l, s)};
  return to_device_reshape(l, ir_build_value(&l->b, IR_OP(gnn, linear), operands, NULL), 1, &columns);
}

to_device_selection to_device_expansion(ir_type from, ir_type to) {
  int64_t rows = ir_type_elements(from), columns = ir_type_elements(to);
  return (to_device_selection){.rows = rows, .rank = 2, .shape = {rows, columns / rows}, .strides = {1, 0}};
}

MlirValue to_device_expand_constant(to_device *l, MlirValue c, ir_type wanted) {
  ir_type type = ir_type_of(c);
  if (ir_type_elements(type) == ir_type_elements(wanted)) return to_device_flat(l, c);
  return to_device_select_constant(l, c, to_device_expansion(type, wanted));
}

MlirValue to_device_expand(to_device *l, MlirValue rows, ir_type from, ir_type to) {
  if (ir_value_is_null(rows) || ir_type_elements(from) == ir_type_elements(to)) return rows;
  return to_device_select(l, rows, to_device_expansion(from, to));
}

/* Whether the rows of a set are ordered by a kind of types: rows of edges by edge type, rows of
 * pairs also by the node type of their end, nodes by their type. */
static bool orders_rows(const char *per, const char *set, bool are_edges) {
  if (!are_edges) return !strcmp(per, "ntype");
  if (!strcmp(per, "etype")) return true;
  const char *end = ir_unique_end(set);
  return end && !strncmp(per, "etype_", 6) && !strcmp(per + 6, end);
}

MlirValue to_device_table(to_device *l, MlirValue v) {
  MlirValue none = {NULL};
  if (!to_device_is_constant(l, v)) return none;
  ir_type type = ir_type_of(v);
  if (type.kind == IR_KIND_plain || type.kind == IR_KIND_per) return v;
  MlirOperation part = gnn_producer(v, IR_OP(gnn, part));
  if (!mlirOperationIsNull(part)) v = ir_operand(part, IR_IN(gnn, part, value));
  MlirOperation slice = gnn_producer(v, IR_OP(gnn, slice));
  if (mlirOperationIsNull(slice)) return none;
  MlirValue table = ir_operand(slice, IR_IN(gnn, slice, value));
  return orders_rows(ir_type_of(table).set, type.set, type.kind == IR_KIND_edge) ? table : none;
}

MlirValue to_device_edge_constant(to_device *l, MlirValue graph, MlirValue plain) {
  const char *set = ir_type_of(graph).set, *unique = ir_unique_end(set);
  const char *end = unique ? unique : "dst", *direction = !strcmp(end, "dst") ? "in" : "out";
  const ir_attr attributes[] = {{"direction", ir_attr_string(l->p->context, direction)}, {NULL, {NULL}}};
  MlirValue degree = ir_build_value(&l->b, IR_OP(gnn, degree), &graph, attributes);
  MlirValue gathered = gnn_build_gather(&l->b, graph, degree, end), number = gnn_build_constant(&l->b, 0);
  MlirValue zero = gnn_build_binary(&l->b, IR_OP(gnn, multiply), gathered, number);
  return gnn_build_binary(&l->b, IR_OP(gnn, vector_add), zero, plain);
}
