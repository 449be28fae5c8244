/* Finds the products in a loop's body that can be instances of the GEMM template, which have the
 * highest precedence (Pigeon, Section 3.3.4).
 *
 *   for_edges(g.unique_src) ^(u): gnn.linear(at(x, src(u)), at(w, u))      a = x, gather = src, w = w (one matrix per edge type)
 *
 * A row may be found through one step: an end of an edge, or the pair of an edge. The matrix may
 * depend on the row by its type alone: rows of one type are then multiplied together (segment
 * MM). */
#include "passes/inter/inter_products.h"

#include "passes/inter/inter_loops.h"

#include <string.h>

/* Multiplications per row from which on a product gets a kernel of its own; below, storing and
 * loading the row costs more. */
enum { LARGE_PRODUCT = 256 };

static bool is_graphs(MlirOperation loop) {
  return ir_op_kind(loop) == IR_OP(inter, for_types) && ir_string_is(loop, "per", "graph");
}

static bool runs_over_rows(MlirOperation loop) {
  ir_op kind = ir_op_kind(loop);
  return kind == IR_OP(inter, for_nodes) || kind == IR_OP(inter, for_edges) || is_graphs(loop);
}

const char *inter_product_step(MlirValue cursor, MlirValue own) {
  if (mlirValueEqual(cursor, own)) return "none";
  MlirOperation op = ir_defining_op(cursor);
  if (mlirOperationIsNull(op) || !mlirValueEqual(mlirOperationGetOperand(op, 0), own)) return NULL;
  switch (ir_op_kind(op)) {
  case IR_OP(inter, src): return "src";
  case IR_OP(inter, dst): return "dst";
  case IR_OP(inter, group): return ir_string_is(op, "end", "src") ? "group_src" : "group_dst";
  default: return NULL;
  }
}

static void find_row(MlirValue x, MlirOperation loop, inter_product *product) {
  MlirOperation at = ir_defining_op(x);
  if (mlirOperationIsNull(at) || ir_op_kind(at) != IR_OP(inter, at)) return;
  MlirValue value = ir_operand(at, IR_IN(inter, at, value));
  ir_type type = ir_type_of(value);
  bool is_row = type.kind == IR_KIND_node || type.kind == IR_KIND_edge ||
                (type.kind == IR_KIND_per && !strcmp(type.set, "graph") && is_graphs(loop));
  const char *step = inter_product_step(ir_operand(at, IR_IN(inter, at, cursor)), inter_cursor_of(loop));
  if (!is_row || !step) return;
  product->a = value;
  product->gather = step;
}

/* Whether a cursor is the loop's node, or the node among all nodes for a loop over nodes of one
 * type. */
static bool is_own_node(MlirValue cursor, MlirValue own) {
  MlirOperation op = ir_defining_op(cursor);
  if (mlirValueEqual(cursor, own)) return true;
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(inter, whole_row) &&
         mlirValueEqual(ir_operand(op, IR_IN(inter, whole_row, row)), own);
}

/* Whether the type that selects the matrix is that of the loop's row: its own, or that of the one
 * end of pairs of a unique set. */
static bool selects_by_row(MlirOperation at, MlirOperation loop) {
  MlirValue own = inter_cursor_of(loop), selecting = ir_operand(at, IR_IN(inter, at, cursor));
  ir_type cursor = ir_type_of(own), type = ir_type_of(ir_operand(at, IR_IN(inter, at, value)));
  if (type.kind != IR_KIND_per || !strcmp(type.set, "graph")) return false;
  if (is_own_node(selecting, own)) return true;
  const char *step = inter_product_step(selecting, own),
             *end = !strcmp(cursor.detail, "edge") ? ir_unique_end(cursor.set) : NULL;
  return step && end && !strcmp(end, step);
}

static bool find_matrix(MlirValue w, MlirOperation loop, inter_product *product) {
  product->w = w;
  if (mlirBlockEqual(inter_value_block(w), mlirOperationGetBlock(loop))) return true;
  MlirOperation at = ir_defining_op(w);
  if (mlirOperationIsNull(at) || ir_op_kind(at) != IR_OP(inter, at) || is_graphs(loop)) return false;
  product->w = ir_operand(at, IR_IN(inter, at, value));
  return selects_by_row(at, loop);
}

bool inter_product_find(MlirOperation linear, MlirOperation loop, inter_product *product) {
  *product = (inter_product){.gather = "none"};
  if (ir_op_kind(linear) != IR_OP(gnn, linear) || !runs_over_rows(loop)) return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(linear), ir_region_block(loop))) return false;
  MlirValue x = ir_operand(linear, IR_IN(gnn, linear, x)), w = ir_operand(linear, IR_IN(gnn, linear, w));
  unsigned rank = ir_type_of(w).rank;
  product->batch = rank == 3 && ir_type_of(x).rank == 2;
  if ((rank != 2 && !product->batch) || !find_matrix(w, loop, product)) return false;
  find_row(x, loop, product);
  return true;
}

bool inter_product_is_gemm(MlirOperation linear, MlirOperation loop) {
  inter_product product;
  return inter_product_find(linear, loop, &product) && !mlirValueIsNull(product.a);
}

/* The multiplications of a product for one row. */
static int64_t product_size(MlirOperation linear) {
  ir_type x = ir_type_of(ir_operand(linear, IR_IN(gnn, linear, x))), y = ir_type_of(ir_result(linear));
  return ir_type_elements(y) * (x.rank ? x.dims[x.rank - 1] : 1);
}

bool inter_product_is_large(MlirOperation linear) {
  return product_size(linear) > LARGE_PRODUCT;
}
