/* Infers domains forward, with one join per operation; see the header.
 *
 *   gather(%g, %x){src}: src     slice(%g, %w){edge}: type     linear(gather, slice): type and src, once per pair */
#include "passes/gnn/gnn_domain.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

unsigned gnn_domain_end(const char *end) {
  return !strcmp(end, "src") ? GNN_DOMAIN_src : GNN_DOMAIN_dst;
}

unsigned gnn_domain_of(const gnn_domains *d, MlirValue value) {
  if (ir_type_of(value).kind != IR_KIND_edge) return 0;
  return (unsigned)map_get(&d->of, value.ptr, GNN_DOMAIN_edge);
}

/* The domain of a slice: a type, or a type and the node type of an end. */
static unsigned domain_of_slice(MlirOperation slice) {
  const char *per = ir_type_of(ir_operand(slice, IR_IN(gnn, slice, value))).set;
  if (!strcmp(per, "etype_src")) return GNN_DOMAIN_type | GNN_DOMAIN_src;
  return !strcmp(per, "etype_dst") ? GNN_DOMAIN_type | GNN_DOMAIN_dst : GNN_DOMAIN_type;
}

static unsigned domain_of_expand(MlirOperation expand) {
  const char *end = ir_unique_end(ir_type_of(ir_operand(expand, IR_IN(gnn, expand, value))).set);
  return end ? GNN_DOMAIN_type | gnn_domain_end(end) : GNN_DOMAIN_edge;
}

static unsigned domain_of_op(const gnn_domains *d, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, gather)) return gnn_domain_end(ir_get_string(op, "end", "src"));
  if (kind == IR_OP(gnn, slice)) return domain_of_slice(op);
  if (kind == IR_OP(gnn, expand)) return domain_of_expand(op);
  if (!ir_op_is_row_wise(kind)) return GNN_DOMAIN_edge;
  unsigned domain = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    domain |= gnn_domain_of(d, mlirOperationGetOperand(op, i));
  return domain;
}

gnn_domains gnn_domains_infer(arena *a, MlirOperation func) {
  gnn_domains d = {.of = {.arena = a}};
  IR_FOR_EACH_OP(op, ir_func_body(func)) {
    if (mlirOperationGetNumResults(op) != 1 || !gnn_is_graph_level(op)) continue;
    MlirValue value = ir_result(op);
    if (ir_type_of(value).kind == IR_KIND_edge) map_set(&d.of, value.ptr, (int64_t)domain_of_op(&d, op));
  }
  return d;
}
