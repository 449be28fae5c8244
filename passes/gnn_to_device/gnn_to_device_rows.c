/* gnn-to-device: the rows that represent a value, made when an operation first reads them.
 *
 *   %1 = gnn.slice(%g, %w) {by = "edge"}     becomes, where rows are wanted,     %r = edge list(%g) {type_edge}; %1 = spdmm(%r, constant(%w))
 *
 * Gathers, slices and expansions that are only read by values of edges or tables of a product are
 * therefore never written to memory. */
#include "passes/gnn_to_device/gnn_to_device.h"
#include "passes/inter/inter_loops.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

bool to_device_is_constant(const to_device *l, MlirValue v) {
  return !map_get(&l->runtime, v.ptr, 0);
}

bool to_device_is_plain_constant(const to_device *l, MlirValue v) {
  return to_device_is_constant(l, v) && ir_type_of(v).kind == IR_KIND_plain;
}

const char *to_device_set_of(const to_device *l, ir_type type) {
  if (type.kind == IR_KIND_edge) return ir_edge_rows(l->p->context, type.set);
  return type.kind == IR_KIND_plain ? "one" : type.set;
}

int64_t to_device_width(MlirValue rows) {
  return ir_type_of(rows).dims[0];
}

/* ---- uses ahead ---- */

static int64_t uses_by(MlirOperation op, MlirValue v) {
  int64_t uses = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    uses += mlirValueEqual(mlirOperationGetOperand(op, i), v);
  return uses;
}

static void add_pending(to_device *l, MlirValue made, int64_t uses) {
  map_set(&l->pending, made.ptr, map_get(&l->pending, made.ptr, 0) + uses);
}

void to_device_bind(to_device *l, MlirValue v, MlirValue rows) {
  if (ir_value_is_null(rows)) {
    l->ok = false;
    return;
  }
  bool are_values = ir_type_of(rows).kind == IR_KIND_values;
  map_set_pointer(are_values ? &l->values : &l->rows, v.ptr, rows.ptr);
  add_pending(l, rows, (int64_t)ir_value_use_count(v) - uses_by(l->current, v));
}

/* What represents `v` has one use less ahead, if it exists already. */
static void consume_value(to_device *l, MlirValue v) {
  void *made[] = {map_get_pointer(&l->rows, v.ptr), map_get_pointer(&l->values, v.ptr)};
  for (size_t i = 0; i < 2; i++)
    if (made[i]) add_pending(l, (MlirValue){made[i]}, -1);
}

void to_device_consume(to_device *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) consume_value(l, mlirOperationGetOperand(op, i));
}

bool to_device_is_exclusive(const to_device *l, MlirValue rows) {
  return map_get(&l->pending, rows.ptr, 0) == 0 && !ir_value_has_uses(rows);
}

/* ---- graphs ---- */

MlirValue to_device_graph(to_device *l, const char *set) {
  for (size_t i = 0; i < l->graphs.count; i++)
    if (!strcmp(ir_type_of(l->graphs.items[i]).set, set)) return l->graphs.items[i];
  l->ok = inter_refuse(l->p, l->current, "no graph of this function has the edges of '%s'", set);
  return (MlirValue){NULL};
}

MlirValue to_device_node_graph(to_device *l, const char *set) {
  const char *whole = ir_whole_set(l->p->context, set);
  if (whole) set = whole;
  for (size_t i = 0; i < l->graphs.count; i++)
    if (!strcmp(ir_node_set(l->p->context, ir_type_of(l->graphs.items[i]).set), set)) return l->graphs.items[i];
  l->ok = inter_refuse(l->p, l->current, "no graph of this function has the nodes of '%s'", set);
  return (MlirValue){NULL};
}

/* ---- making rows ---- */

static MlirValue made(to_device *l, ir_op op, MlirValue x, const char *set) {
  const ir_attr attributes[] = {{"set", set ? ir_attr_string(l->p->context, set) : (MlirAttribute){NULL}},
                                {NULL, {NULL}}};
  MlirValue rows = ir_build_value(&l->b, op, &x, set ? attributes : NULL);
  if (ir_value_is_null(rows)) l->ok = false;
  return rows;
}

/* The rows of a table by the type of each row; also for tables that depend on inputs. */
static MlirValue slice_rows(to_device *l, MlirOperation slice) {
  MlirValue graph = ir_operand(slice, IR_IN(gnn, slice, graph)), table = ir_operand(slice, IR_IN(gnn, slice, value));
  const char *per = ir_type_of(table).set;
  bool by_edge = ir_string_is(slice, "by", "edge"), is_batch = !strcmp(per, "graph");
  to_device_edge_list_spec spec = {.kind = is_batch ? "unpool" : by_edge ? "type_edge" : "type_node", .of = graph};
  if (!is_batch) spec.per = per;
  return to_device_move(l, spec, to_device_rows(l, table));
}

static MlirValue gather_rows(to_device *l, MlirOperation gather) {
  bool at_source = ir_string_is(gather, "end", "src");
  to_device_edge_list_spec spec = {.kind = at_source ? "gather_src" : "gather_dst",
                                   .of = ir_operand(gather, IR_IN(gnn, gather, graph))};
  MlirValue value = ir_operand(gather, IR_IN(gnn, gather, value));
  MlirValue rows = to_device_move(l, spec, to_device_rows(l, value));
  bool is_whole = !mlirOperationIsNull(gnn_producer(value, IR_OP(gnn, convert)));
  if (is_whole && !ir_value_is_null(rows)) /* machines may round what they move, and a comparison may follow */
    ir_set_attr(ir_defining_op(rows), "unit", ir_attr_string(l->p->context, "host"));
  return rows;
}

static MlirValue expand_rows(to_device *l, MlirOperation expand) {
  MlirValue value = ir_operand(expand, IR_IN(gnn, expand, value));
  MlirValue pairs = to_device_graph(l, ir_type_of(value).set);
  to_device_edge_list_spec spec = {
      .kind = "expand", .of = ir_operand(expand, IR_IN(gnn, expand, graph)), .pairs = pairs};
  if (ir_value_is_null(pairs)) return pairs;
  return to_device_move(l, spec, to_device_rows(l, value));
}

/* Dense rows of sparse features: each stored entry brings the identity's row of its column. */
static MlirValue sparse_rows(to_device *l, MlirValue x) {
  int64_t columns = ir_type_elements(ir_type_of(x));
  MlirValue identity = to_device_build_selection(
      l, (to_device_selection){.rows = columns, .rank = 1, .shape = {columns}, .strides = {1}});
  if (ir_value_is_null(identity)) return identity;
  to_device_edge_list_spec spec = {.kind = "nonzeros", .of = x};
  return to_device_move(l, spec, made(l, IR_OP(device, constant), identity, "columns"));
}

static MlirValue make_rows(to_device *l, MlirValue v) {
  MlirOperation op = ir_defining_op(v);
  if (ir_type_of(v).kind == IR_KIND_sparse) return sparse_rows(l, v);
  if (mlirOperationIsNull(op)) return made(l, IR_OP(device, input), v, NULL);
  bool is_constant = to_device_is_constant(l, v);
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, slice): return slice_rows(l, op);
  case IR_OP(gnn, gather):
    if (!is_constant) return gather_rows(l, op);
    break;
  case IR_OP(gnn, expand):
    if (!is_constant) return expand_rows(l, op);
    break;
  default: break;
  }
  if (is_constant) return made(l, IR_OP(device, constant), v, NULL);
  l->ok = inter_refuse(l->p, l->current, "%s has no rows on this device", ir_op_name(op));
  return (MlirValue){NULL};
}

MlirValue to_device_rows(to_device *l, MlirValue v) {
  if (ir_value_is_null(v)) return v;
  MlirValue known = {map_get_pointer(&l->rows, v.ptr)};
  if (!ir_value_is_null(known)) return known;
  MlirValue rows = make_rows(l, v);
  if (!ir_value_is_null(rows)) to_device_bind(l, v, rows);
  return rows;
}

MlirValue to_device_rows_in(to_device *l, MlirValue v, ir_type domain) {
  MlirValue rows = to_device_rows(l, v);
  if (ir_value_is_null(rows) || ir_type_of(v).kind != IR_KIND_plain || domain.kind == IR_KIND_plain) return rows;
  bool is_node = domain.kind == IR_KIND_node || domain.kind == IR_KIND_sparse;
  MlirValue graph = domain.kind == IR_KIND_edge ? to_device_graph(l, domain.set)
                    : is_node                   ? to_device_node_graph(l, domain.set)
                                                : l->graphs.items[0];
  to_device_edge_list_spec spec = {.kind = "broadcast", .of = graph, .to = to_device_set_of(l, domain)};
  if (ir_value_is_null(graph)) return graph;
  return to_device_move(l, spec, rows);
}
