/* Bodies of loops and kernels: one block whose arguments the operation determines, ended by smt.yield of payloads. */
#include "dialects/verify.h"

#include <string.h>

/* The types a body's arguments must have; returns how many. */
static unsigned expected_arguments(const infer *in, ir_type *arguments) {
  const char *set = in->types[0].set;
  switch (in->op) {
  case IR_OP(inter, for_nodes): arguments[0] = ir_type_cursor("node", ir_node_set(in->context, set)); return 1;
  case IR_OP(inter, for_edges):
  case IR_OP(inter, for_incoming):
  case IR_OP(inter, for_outgoing): arguments[0] = ir_type_cursor("edge", set); return 1;
  case IR_OP(inter, for_nonzeros): arguments[0] = ir_type_cursor("nonzero", set); return 1;
  case IR_OP(intra, nonzeros): arguments[0] = ir_type_cursor("nonzero", set + strlen("nonzero:")); return 1;
  case IR_OP(intra, traverse): {
    const char *domain = infer_string(in, "domain");
    if (!strcmp(domain, "one") || mlirValueIsNull(in->values[0])) return 0;
    bool is_edge = !strcmp(domain, "edge");
    arguments[0] = ir_type_cursor(is_edge ? "edge" : "node", is_edge ? set : ir_node_set(in->context, set));
    return 1;
  }
  case IR_OP(intra, gemm): {
    ir_type a = in->types[IR_IN(intra, gemm, a)], b = in->types[IR_IN(intra, gemm, b)];
    bool is_edge = !strncmp(a.set, "edge:", 5);
    arguments[0] = ir_type_cursor(is_edge ? "edge" : "node", strchr(a.set, ':') + 1);
    arguments[1] = ir_type_payload(a);
    bool transposed = !mlirAttributeIsNull(infer_attribute(in, "transposed"));
    arguments[1].dims[a.rank - 1] = b.dims[transposed ? 0 : 1];
    return 2;
  }
  default: return 0; /* once */
  }
}

static bool verify_arguments(const infer *in, MlirBlock block) {
  ir_type expected[2];
  unsigned count = expected_arguments(in, expected);
  intptr_t found = mlirBlockGetNumArguments(block);
  if (found != (intptr_t)count)
    return infer_error(in, "the body takes %u argument%s, not %td", count, count == 1 ? "" : "s", found);
  for (unsigned i = 0; i < count; i++) {
    ir_type type = ir_type_of(mlirBlockGetArgument(block, i));
    if (ir_type_equal(type, ir_type_with_payload(expected[i], type)) && infer_same_payload(type, expected[i])) continue;
    text wanted = {0};
    mlirTypePrint(ir_type_make(in->context, expected[i]), ir_text_callback, &wanted);
    infer_error(in, "argument %u of the body must be %s", i, text_str(&wanted));
    text_free(&wanted);
    return false;
  }
  return true;
}

static bool verify_yield(const infer *in, MlirOperation yield) {
  if (mlirOperationIsNull(yield) || strcmp(ir_op_name(yield), "smt.yield") != 0)
    return infer_error(in, "the body must end in smt.yield");
  intptr_t count = mlirOperationGetNumOperands(yield);
  for (intptr_t i = 0; i < count; i++) {
    ir_type type = ir_type_of(mlirOperationGetOperand(yield, i));
    if (type.kind == IR_KIND_plain) continue;
    text found = {0};
    ir_type_print(&found, type);
    infer_error(in, "the body yields payloads, but value %td is %s", i, text_str(&found));
    text_free(&found);
    return false;
  }
  if (!in->info->result_kind && count) return infer_error(in, "the body stores what it computes and yields nothing");
  MlirAttribute reduce = infer_attribute(in, "reduce");
  intptr_t reductions = mlirAttributeIsNull(reduce) ? count : mlirArrayAttrGetNumElements(reduce);
  if (reductions == count) return true;
  return infer_error(in, "the body yields %td value%s, but 'reduce' names %td reduction%s", count,
                     count == 1 ? "" : "s", reductions, reductions == 1 ? "" : "s");
}

/* A gemm's operands, before its body's arguments follow from them. */
static bool verify_gemm(const infer *in) {
  unsigned graph = IR_IN(intra, gemm, graph), left = IR_IN(intra, gemm, a), right = IR_IN(intra, gemm, b);
  ir_type a = in->types[left], b = in->types[right];
  bool is_edge = !strncmp(a.set, "edge:", 5);
  if (!is_edge && strncmp(a.set, "node:", 5) != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but a gemm runs over nodes or edges", infer_name(in, left),
                       a.set);
  const char *set = in->types[graph].set, *wanted = is_edge ? set : ir_node_set(in->context, set);
  if (strcmp(a.set + 5, wanted) != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but graph '%s' has the %s of '%s'", infer_name(in, left), a.set,
                       infer_name(in, graph), is_edge ? "edges" : "nodes", wanted);
  if (strcmp(b.set, "one") != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but the matrix of a gemm has rows 'one'", infer_name(in, right),
                       b.set);
  bool transposed = !mlirAttributeIsNull(infer_attribute(in, "transposed"));
  if (a.rank < 1 || b.rank != 2 || !infer_same_dim(a.dims[a.rank - 1], b.dims[transposed ? 1 : 0])) {
    text x = {0}, w = {0};
    ir_type_print(&x, ir_type_payload(a));
    ir_type_print(&w, ir_type_payload(b));
    infer_error(in, "'%s' is %s and '%s' is %s%s; a product takes [..., K] @ [K, N]", infer_name(in, left),
                text_str(&x), infer_name(in, right), text_str(&w), transposed ? ", transposed" : "");
    text_free(&x);
    text_free(&w);
    return false;
  }
  return true;
}

static bool verify_traverse(const infer *in) {
  bool is_one = !strcmp(infer_string(in, "domain"), "one"), has_graph = !mlirValueIsNull(in->values[0]);
  if (is_one && has_graph) return infer_error(in, "a traversal of one runs over no graph");
  return is_one || has_graph || infer_error(in, "a traversal of %ss needs a graph", infer_string(in, "domain"));
}

bool verify_body(const infer *in) {
  if (!in->info->region_name) return true;
  if (in->op == IR_OP(intra, gemm) && !verify_gemm(in)) return false;
  if (in->op == IR_OP(intra, traverse) && !verify_traverse(in)) return false;
  MlirBlock block = mlirRegionGetFirstBlock(in->region);
  if (mlirBlockIsNull(block)) return infer_error(in, "the body is empty");
  return verify_arguments(in, block) && verify_yield(in, ir_block_terminator(block));
}
