/* gnn-to-device: merges products that share their operand, so that its rows are read once.
 *
 *   %a = linear(%x, %u[K, M]); %b = linear(%x, %v[K, N])     becomes   %c = gemm(%x, [%u %v]); %a, %b = columns of %c
 *
 * Each matrix begins at a multiple of the device's width, so that its columns are a window of the
 * result and need not be moved. A product to which a sum over edges is added, as in GraphSAGE,
 * becomes the initial value of that sum. */
#include "passes/gnn_to_device/gnn_to_device.h"

#include "passes/cost/gnn_choice.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/number.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_FIBERS = 64 };

/* ---- which products ----------------------------------------------------------------------------------------------- */

/* Whether a value is a sum over edges that can begin with a window of the merged product. */
static bool is_open_sum(const to_device *l, MlirValue v) {
  MlirOperation op = gnn_producer(v, IR_OP(gnn, aggregate));
  if (mlirOperationIsNull(op) || !ir_value_has_one_use(v) || gnn_activation_of(op)) return false;
  MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value)),
            weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  return gnn_is_sum_or_mean(op) && ir_type_of(value).kind == IR_KIND_node && !to_device_is_constant(l, value) &&
         (ir_value_is_null(weight) || to_device_is_constant(l, weight));
}

/* Whether a value is an output, which a window cannot be. */
static bool is_output(MlirValue v) {
  IR_FOR_EACH_USE(use, v)
    if (ir_op_kind(mlirOpOperandGetOwner(use)) == IR_OTHER) return true;
  return false;
}

static MlirValue linear_operand(const to_device *l, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, linear, x)), w = ir_operand(op, IR_IN(gnn, linear, w)), none = {NULL};
  MlirValue bias = ir_operand(op, IR_IN(gnn, linear, bias)), addend = ir_operand(op, IR_IN(gnn, linear, addend));
  ir_type type = ir_type_of(x);
  if (!to_device_is_plain_constant(l, w) || ir_type_elements(type) != type.dims[type.rank - 1]) return none;
  if (!ir_value_is_null(bias) && !to_device_is_plain_constant(l, bias)) return none;
  if (ir_value_is_null(addend)) return gnn_activation_of(op) || is_output(ir_result(op)) ? none : x;
  return is_open_sum(l, addend) ? x : none;
}

static MlirValue inner_operand(const to_device *l, MlirOperation op) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1), none = {NULL};
  bool is_left = to_device_is_plain_constant(l, a);
  if (gnn_activation_of(op) || is_output(ir_result(op)) || (!is_left && !to_device_is_plain_constant(l, b)))
    return none;
  MlirValue x = is_left ? b : a;
  ir_type type = ir_type_of(x);
  int64_t k = type.dims[type.rank - 1];
  return ir_type_elements(type) / k == ir_type_elements(ir_type_of(ir_result(op))) ? x : none;
}

/* The operand that a product may share; null for a product that is not merged. */
static MlirValue shared_operand(const to_device *l, MlirOperation op) {
  MlirValue x = {NULL};
  if (to_device_is_constant(l, ir_result(op))) return x;
  if (ir_op_kind(op) == IR_OP(gnn, linear)) x = linear_operand(l, op);
  if (ir_op_kind(op) == IR_OP(gnn, vector_inner)) x = inner_operand(l, op);
  if (ir_value_is_null(x) || to_device_is_constant(l, x)) return (MlirValue){NULL};
  ir_kind kind = ir_type_of(x).kind;
  return kind == IR_KIND_node || kind == IR_KIND_sparse ? x : (MlirValue){NULL};
}

static void add_member(to_device *l, to_device_merge *m, MlirOperation op) {
  int64_t begin = number_round_up(m->width, l->width), columns = ir_type_elements(ir_type_of(ir_result(op)));
  if (begin + columns > MAX_FIBERS * l->width) return;
  VEC_PUSH(l->p->arena, &m->members, op);
  VEC_PUSH(l->p->arena, &m->begins, begin);
  m->width = begin + columns;
}

void to_device_choose_merges(to_device *l) {
  map by_operand = {.arena = l->p->arena};
  VEC(to_device_merge *) merges = {0};
  IR_FOR_EACH_OP(op, l->body) {
    if (!gnn_is_graph_level(op)) continue;
    MlirValue x = shared_operand(l, op);
    if (ir_value_is_null(x)) continue;
    to_device_merge *m = map_get_pointer(&by_operand, x.ptr);
    if (!m) {
      m = arena_alloc(l->p->arena, sizeof *m);
      m->x = x;
      map_set_pointer(&by_operand, x.ptr, m);
      VEC_PUSH(l->p->arena, &merges, m);
    }
    add_member(l, m, op);
  }
  for (size_t i = 0; i < merges.count; i++)
    for (size_t k = 0; merges.items[i]->members.count > 1 && k < merges.items[i]->members.count; k++)
      map_set_pointer(&l->merges, merges.items[i]->members.items[k].ptr, merges.items[i]);
}

/* ---- making them -------------------------------------------------------------------------------------------------- */

/* Moves constants that are made further down to before the first product. */
static void hoist(to_device *l, MlirValue v) {
  MlirOperation op = ir_value_is_null(v) ? (MlirOperation){NULL} : ir_defining_op(v);
  if (mlirOperationIsNull(op) || !mlirOperationIsBeforeInBlock(l->current, op)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) hoist(l, mlirOperationGetOperand(op, i));
  mlirOperationMoveBefore(op, l->current);
}

/* m[K, N] followed by columns of zeros: [K, columns]. */
static MlirValue padded(to_device *l, MlirValue m, int64_t columns) {
  ir_type type = ir_type_of(m);
  if (type.dims[1] == columns) return m;
  to_device_selection s = {.rows = type.dims[1], .rank = 1, .shape = {columns}, .strides = {1}};
  const MlirValue operands[IR_MAX_OPERANDS] = {m, to_device_build_selection(l, s)};
  return ir_build_value(&l->b, IR_OP(gnn, linear), operands, NULL);
}

/* The number of columns from member i to the beginning of the next. */
static int64_t room(const to_device_merge *m, size_t i) {
  return (i + 1 < m->begins.count ? m->begins.items[i + 1] : m->width) - m->begins.items[i];
}

/* Whether all matrices are stored as [N, K] and all but the last have whole fibers; they can then
 * be stacked as they are. */
static bool are_stacked(const to_device_merge *m) {
  for (size_t i = 0; i < m->members.count; i++) {
    MlirOperation op = m->members.items[i];
    if (ir_op_kind(op) != IR_OP(gnn, linear) || !ir_get_bool(op, "transposed")) return false;
    if (room(m, i) != ir_type_elements(ir_type_of(ir_result(op)))) return false;
  }
  return true;
}

static MlirValue stacked_matrix(to_device *l, const to_device_merge *m) {
  MlirValue all = {NULL};
  for (size_t i = 0; i < m->members.count; i++) {
    bool is_transposed = false;
    MlirValue w = to_device_flat(l, to_device_product_matrix(l, m->members.items[i], &is_transposed));
    all = i ? gnn_build_binary(&l->b, IR_OP(gnn, concat), all, w) : w;
  }
  const int64_t shape[] = {m->width, ir_type_elements(ir_type_of(m->x))};
  return to_device_reshape(l, all, 2, shape);
}

static MlirValue matrix_beside(to_device *l, const to_device_merge *m) {
  MlirValue all = {NULL};
  for (size_t i = 0; i < m->members.count; i++) {
    bool is_transposed = false;
    MlirValue w = to_device_product_matrix(l, m->members.items[i], &is_transposed);
    if (is_transposed) w = gnn_build_unary(&l->b, IR_OP(gnn, transpose), w);
    w = padded(l, w, room(m, i));
    all = i ? gnn_build_binary(&l->b, IR_OP(gnn, concat), all, w) : w;
  }
  return all;
}

/* The bias of a member that becomes part of the merged product: nothing else is added to that
 * member. */
static MlirValue merged_bias(MlirOperation op) {
  MlirValue none = {NULL};
  if (ir_op_kind(op) != IR_OP(gnn, linear) || !ir_value_is_null(ir_operand(op, IR_IN(gnn, linear, addend))))
    return none;
  return ir_operand(op, IR_IN(gnn, linear, bias));
}

static MlirValue bias_beside(to_device *l, const to_device_merge *m) {
  MlirValue all = {NULL};
  bool has_any = false;
  for (size_t i = 0; i < m->members.count; i++)
    has_any = has_any || !ir_value_is_null(merged_bias(m->members.items[i]));
  for (size_t i = 0; has_any && i < m->members.count; i++) {
    MlirValue bias = merged_bias(m->members.items[i]), row;
    if (ir_value_is_null(bias)) {
      row = to_device_build_selection(
          l, (to_device_selection){.rows = 1, .begin = -1, .rank = 1, .shape = {room(m, i)}, .strides = {0}});
    } else {
      const int64_t shape[] = {1, ir_type_elements(ir_type_of(bias))};
      row = padded(l, to_device_reshape(l, bias, 2, shape), room(m, i));
    }
    all = i ? gnn_build_binary(&l->b, IR_OP(gnn, concat), all, row) : row;
  }
  return ir_value_is_null(all) ? all : to_device_flat(l, all);
}

static void make(to_device *l, to_device_merge *m) {
  for (size_t i = 0; i < m->members.count; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(m->members.items[i]); k++)
      if (to_device_is_plain_constant(l, mlirOperationGetOperand(m->members.items[i], k)))
        hoist(l, mlirOperationGetOperand(m->members.items[i], k));
  bool is_stacked = are_stacked(m), is_sparse = ir_type_of(m->x).kind == IR_KIND_sparse;
  MlirValue w = is_stacked ? stacked_matrix(l, m) : matrix_beside(l, m), bias = bias_beside(l, m), none = {NULL};
  if (!is_sparse) {
    m->rows = to_device_gemm(l, to_device_rows(l, m->x), w, bias, none, is_stacked);
    return;
  }
  if (is_stacked) w = gnn_build_unary(&l->b, IR_OP(gnn, transpose), w);
  const ir_attr set[] = {{"set", ir_attr_string(l->p->context, "columns")}, {NULL, {NULL}}};
  MlirValue columns = ir_build_value(&l->b, IR_OP(device, constant), &w, set);
  m->rows = to_device_move(l, (to_device_edge_list_spec){.kind = "nonzeros", .of = m->x}, columns);
  if (!ir_value_is_null(bias)) m->rows = to_device_fuse_bias(l, m->rows, bias);
}

MlirValue to_device_merged(to_device *l, MlirOperation op) {
  to_device_merge *m = map_get_pointer(&l->merges, op.ptr);
  if (!m) return (MlirValue){NULL};
  if (ir_value_is_null(m->rows)) make(l, m);
  size_t i = 0;
  while (!mlirOperationEqual(m->members.items[i], op)) i++;
  int64_t columns = ir_type_elements(ir_type_of(ir_result(op)));
  pass_remark(l->p, op, "%s is columns %" PRId64 " to %" PRId64 " of one product with %zu matrices",
              gnn_describe_value(l->p, ir_result(op)), m->begins.items[i], m->begins.items[i] + columns - 1,
              m->members.count);
  return to_device_select(
      l, m->rows,
      (to_device_selection){
          .rows = m->width, .begin = m->begins.items[i], .rank = 1, .shape = {columns}, .strides = {1}});
}
