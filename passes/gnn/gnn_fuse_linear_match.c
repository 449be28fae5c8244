/* Finds two operations that gnn-fuse-linear may replace by one: the conditions of linear-operator
 * fusion (Pigeon, Section 3.4.1) that concern structure.
 *
 *   %k = reshape(vector_add(linear(%x, slice(%g, %K){node}), %b)); %a = linear(gather(%g, %k){src}, slice(%g, %A){edge})
 *   first = linear by K, second = linear by A, gather = that of k, by = etype and src */
#include "passes/gnn/gnn_fuse_linear.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* ---- weights ----------------------------------------------------------------------------------------------------- */

static bool read_slice(MlirOperation slice, fuse_weight *w) {
  static const struct {
    const char *per, *slice_by;
    unsigned by;
  } rows[] = {
      {"etype", "edge", FUSE_BY_etype},
      {"ntype", "node", FUSE_BY_ntype},
      {"etype_src", "edge", FUSE_BY_etype | FUSE_BY_src},
      {"etype_dst", "edge", FUSE_BY_etype | FUSE_BY_dst},
  };
  w->table = ir_operand(slice, IR_IN(gnn, slice, value));
  w->graph = ir_operand(slice, IR_IN(gnn, slice, graph));
  const char *per = ir_type_of(w->table).set, *slice_by = ir_get_string(slice, "by", "");
  bool is_derived = ir_base_set(mlirOperationGetContext(slice), ir_type_of(w->graph).set);
  if (is_derived && !strcmp(slice_by, "edge")) return false; /* pairs of types are those of the whole graph */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    w->by = rows[i].by;
    if (!strcmp(per, rows[i].per) && !strcmp(slice_by, rows[i].slice_by)) return true;
  }
  return false; /* one row for each graph of a batch is not a weight */
}

/* Reads a weight: plain, by type of the row, or by node type of an end. */
static bool read_weight(MlirValue value, fuse_weight *w) {
  if (ir_value_is_null(value)) return false;
  if (ir_type_of(value).kind == IR_KIND_plain) {
    *w = (fuse_weight){.table = value};
    return true;
  }
  MlirOperation slice = gnn_producer(value, IR_OP(gnn, slice));
  if (!mlirOperationIsNull(slice)) return read_slice(slice, w);
  MlirOperation gather = gnn_producer(value, IR_OP(gnn, gather));
  if (mlirOperationIsNull(gather)) return false;
  slice = gnn_producer(ir_operand(gather, IR_IN(gnn, gather, value)), IR_OP(gnn, slice));
  if (mlirOperationIsNull(slice) || !read_slice(slice, w)) return false;
  w->by = ir_string_is(gather, "end", "src") ? FUSE_BY_src : FUSE_BY_dst;
  return true;
}

const char *gnn_fuse_end_of(unsigned by) {
  bool src = by & FUSE_BY_src, dst = by & FUSE_BY_dst;
  if (src == dst) return NULL;
  return src ? "src" : "dst";
}

/* ---- between the two operations
 * ---------------------------------------------------------------------------------- */

static bool take_bias(fuse_match *m, fuse_weight bias) {
  if (m->bias_count == FUSE_MAX_BIASES) return false;
  m->biases[m->bias_count++] = bias;
  return true;
}

/* If `add` adds a bias of the value's size, notes the bias and returns the other operand; else
 * returns null. */
static MlirValue pass_bias(fuse_match *m, MlirOperation add) {
  for (int i = 0; i < 2 && !gnn_activation_of(add); i++) {
    MlirValue value = ir_operand(add, i), other = ir_operand(add, 1 - i);
    fuse_weight bias;
    bool is_bias = read_weight(other, &bias) && ir_payload_equal(ir_type_of(other), ir_type_of(value));
    if (is_bias && ir_type_of(value).kind != IR_KIND_plain && take_bias(m, bias)) return value;
  }
  return (MlirValue){NULL};
}

/* Goes up through one operation between the two; null where it cannot. */
static MlirValue pass_upwards(fuse_match *m, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, reshape): return ir_operand(op, IR_IN(gnn, reshape, x));
  case IR_OP(gnn, vector_add): return pass_bias(m, op);
  case IR_OP(gnn, gather):
    if (!mlirOperationIsNull(m->gather)) return (MlirValue){NULL};
    m->gather = op;
    return ir_operand(op, IR_IN(gnn, gather, value));
  default: return (MlirValue){NULL};
  }
}

/* Adds what chooses the row of a weight. Before a gather, a node type is that of the gather's
 * end. */
static void join_weight(fuse_match *m, fuse_weight *w) {
  if (!mlirOperationIsNull(m->gather) && w->by == FUSE_BY_ntype)
    w->by = ir_string_is(m->gather, "end", "src") ? FUSE_BY_src : FUSE_BY_dst;
  m->by |= w->by;
  if (ir_value_is_null(m->graph)) m->graph = w->graph;
}

/* Whether an operation is a barrier in the sense of condition (1): one value in, one out, not
 * linear. */
static bool is_barrier(ir_op kind) {
  return kind == IR_OP(gnn, activation) || kind == IR_OP(gnn, softmax) || kind == IR_OP(gnn, row_normalize) ||
         kind == IR_OP(gnn, batch_norm);
}

/* Goes up from `value` to a linear layer. */
static bool find_first(fuse_match *m, MlirValue value) {
  for (;;) {
    MlirOperation op = ir_defining_op(value);
    if (mlirOperationIsNull(op)) return false;
    m->is_shared |= !ir_value_has_one_use(value);
    if (ir_op_kind(op) == IR_OP(gnn, linear)) {
      m->first = op;
      return true;
    }
    if (is_barrier(ir_op_kind(op)) && mlirOperationIsNull(m->barrier)) {
      m->barrier = op;
      value = mlirOperationGetOperand(op, 0);
      continue;
    }
    value = pass_upwards(m, op);
    if (ir_value_is_null(value)) return false;
  }
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static bool is_static(ir_type type) {
  for (unsigned i = 0; i < type.rank; i++)
    if (mlirShapedTypeIsDynamicSize(type.dims[i])) return false;
  return true;
}

static bool find_form_of_linear(fuse_match *m, bool is_same, bool is_batch) {
  unsigned w2 = ir_type_of(m->w2.table).rank;
  if (is_same && (w2 == 2 || (is_batch && w2 == 3))) {
    m->form = FUSE_FORM_product;
    return true;
  }
  if (!is_batch && m->x.rank == 1 && m->seen.rank == 2 && w2 == 3) {
    m->form = FUSE_FORM_heads;
    return true;
  }
  m->form = FUSE_FORM_join;
  return is_batch && m->seen.rank == 1 && w2 == 2;
}

static bool find_form_of_inner(fuse_match *m, bool is_same, bool is_batch) {
  unsigned a = ir_type_of(m->w2.table).rank;
  if (a > m->seen.rank) return false;
  m->form = is_same ? FUSE_FORM_inner : FUSE_FORM_inner_heads;
  return is_same ? is_batch || m->x.rank == 1 : !is_batch && m->x.rank == 1 && m->seen.rank == 2;
}

static bool find_form(fuse_match *m) {
  ir_type w1 = ir_type_of(m->w1.table), w2 = ir_type_of(m->w2.table);
  bool is_batch = w1.rank == 3 && m->x.rank == 2, is_same = ir_payload_equal(m->y, m->seen);
  if (!is_static(m->x) || !is_static(m->y) || !is_static(m->z) || !is_static(w1) || !is_static(w2)) return false;
  if (w1.rank != 2 && !is_batch) return false;
  if (ir_op_kind(m->second) == IR_OP(gnn, linear)) return find_form_of_linear(m, is_same, is_batch);
  return find_form_of_inner(m, is_same, is_batch);
}

/* ---- the match --------------------------------------------------------------------------------------------------- */

/* Reads the first layer: its weight and its bias; it must have nothing else. */
static bool read_first(fuse_match *m) {
  if (!ir_value_is_null(ir_operand(m->first, IR_IN(gnn, linear, addend)))) return false;
  if (!read_weight(ir_operand(m->first, IR_IN(gnn, linear, w)), &m->w1)) return false;
  MlirValue bias = ir_operand(m->first, IR_IN(gnn, linear, bias));
  fuse_weight read;
  if (ir_value_is_null(bias)) return true;
  return read_weight(bias, &read) && ir_payload_equal(ir_type_of(bias), m->y) && take_bias(m, read);
}

/* Whether a layer has a bias along the last dimension of a matrix per row. The fused operation adds
 * biases element by element. */
static bool has_bias_of_rows(MlirOperation linear) {
  return !ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, bias))) && ir_type_of(ir_result(linear)).rank > 1;
}

bool gnn_fuse_match_find(MlirOperation second, int position, fuse_match *m) {
  *m = (fuse_match){.second = second};
  bool is_linear = ir_op_kind(second) == IR_OP(gnn, linear);
  if (is_linear && has_bias_of_rows(second)) return false;
  MlirValue y = ir_operand(second, position);
  MlirValue w2 = ir_operand(second, is_linear ? IR_IN(gnn, linear, w) : 1 - position);
  if (ir_type_of(y).kind == IR_KIND_plain || ir_type_of(y).kind == IR_KIND_per || !read_weight(w2, &m->w2))
    return false;
  if (!find_first(m, y)) {
    m->barrier = (MlirOperation){NULL}; /* no layer was found before the barrier, so there was nothing to fuse */
    return false;
  }
  m->x = ir_type_of(ir_operand(m->first, IR_IN(gnn, linear, x)));
  m->y = ir_type_of(ir_result(m->first));
  m->seen = ir_type_of(y);
  m->z = ir_type_of(ir_result(second));
  if (!mlirOperationIsNull(m->barrier)) return false;
  if (m->x.kind != IR_KIND_node && m->x.kind != IR_KIND_edge) return false;
  if (!read_first(m) || !find_form(m)) return false;
  if (gnn_activation_of(m->first)) {
    m->barrier = m->first;
    return false;
  }
  join_weight(m, &m->w1);
  for (unsigned i = 0; i < m->bias_count; i++) join_weight(m, &m->biases[i]);
  join_weight(m, &m->w2);
  if (!mlirOperationIsNull(m->gather)) m->graph = ir_operand(m->gather, IR_IN(gnn, gather, graph));
  return true;
}
