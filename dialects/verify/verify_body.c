/* Checks the bodies of loops and kernels: one block with the arguments that the operation requires,
 * ended by smt.yield of payloads. */
#include "dialects/verify/verify.h"

#include <string.h>

/* The cursor of a loop over nodes: at all nodes, or at those of one type if the body's argument
 * says so. */
static ir_type node_cursor(const infer *in) {
  const char *set = ir_node_set(in->context, in->types[0].set);
  ir_type all = ir_type_cursor("node", set);
  MlirBlock block = mlirRegionGetFirstBlock(in->region);
  if (mlirBlockGetNumArguments(block) != 1) return all;
  ir_type written = ir_type_of(mlirBlockGetArgument(block, 0));
  if (written.kind != IR_KIND_cursor || strcmp(written.detail, "node") != 0) return all;
  const char *whole = ir_whole_set(in->context, written.set);
  return whole && !strcmp(whole, set) ? written : all;
}

static ir_type traverse_cursor(const infer *in, const char *domain) {
  if (!strcmp(domain, "node")) return node_cursor(in);
  return ir_type_cursor(domain, in->types[0].set);
}

static ir_type member_cursor(const infer *in) {
  const char *set = in->types[0].set;
  bool is_pair = !strcmp(in->types[IR_IN(inter, for_members, of)].detail, "edge");
  return ir_type_cursor(is_pair ? "edge" : "node", is_pair ? set : ir_node_set(in->context, set));
}

/* The arguments of gnn.fold's body: the state, over steps the number of the step, and the payloads of
 * the values that it reads. */
static unsigned fold_arguments(const infer *in, ir_type *arguments) {
  unsigned count = 0;
  arguments[count++] = ir_type_payload(in->types[IR_IN(gnn, fold, init)]);
  if (!strcmp(infer_string(in, "over"), "steps")) arguments[count++] = (ir_type){.kind = IR_KIND_plain};
  for (unsigned i = IR_IN(gnn, fold, value0); i < IR_MAX_OPERANDS; i++)
    if (!mlirValueIsNull(in->values[i])) arguments[count++] = ir_type_payload(in->types[i]);
  return count;
}

/* Those of inter.fold's body: the member or the number of the step, and the state. */
static unsigned step_arguments(const infer *in, ir_type *arguments) {
  const char *over = infer_string(in, "over"), *set = in->types[0].set;
  arguments[0] = (ir_type){.kind = IR_KIND_plain};
  if (!strcmp(over, "graph"))
    arguments[0] = ir_type_cursor("node", ir_node_set(in->context, set));
  else if (strcmp(over, "steps") != 0)
    arguments[0] = ir_type_cursor("edge", set);
  arguments[1] = in->types[IR_IN(inter, fold, init)];
  return 2;
}

/* The types that a body's arguments must have; returns how many. */
static unsigned expected_arguments(const infer *in, ir_type *arguments) {
  const char *set = in->types[0].set;
  switch (in->op) {
  case IR_OP(inter, for_nodes): arguments[0] = node_cursor(in); return 1;
  case IR_OP(inter, for_types): arguments[0] = ir_type_cursor(infer_string(in, "per"), set); return 1;
  case IR_OP(gnn, fold): return fold_arguments(in, arguments);
  case IR_OP(inter, fold): return step_arguments(in, arguments);
  case IR_OP(inter, for_members): arguments[0] = member_cursor(in); return 1;
  case IR_OP(inter, softmax_incoming):
  case IR_OP(inter, for_edges):
  case IR_OP(inter, for_incoming):
  case IR_OP(inter, for_outgoing): arguments[0] = ir_type_cursor("edge", set); return 1;
  case IR_OP(inter, for_nonzeros): arguments[0] = ir_type_cursor("nonzero", set); return 1;
  case IR_OP(intra, nonzeros): arguments[0] = ir_type_cursor("nonzero", set + strlen("nonzero:")); return 1;
  case IR_OP(intra, traverse): {
    const char *domain = infer_string(in, "domain");
    if (!strcmp(domain, "one") || mlirValueIsNull(in->values[0])) return 0;
    arguments[0] = traverse_cursor(in, domain);
    return 1;
  }
  case IR_OP(intra, gemm): verify_gemm_arguments(in, arguments); return 2;
  default: return 0; /* inter.once has no cursor */
  }
}

static bool verify_arguments(const infer *in, MlirBlock block) {
  ir_type expected[IR_MAX_OPERANDS + 2];
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

/* Checks the yields of a softmax: a logit, and the values that it weights. */
static bool verify_softmax(const infer *in, MlirOperation yield) {
  intptr_t count = mlirOperationGetNumOperands(yield);
  if (count < 2) return infer_error(in, "the body yields a logit and at least one value");
  ir_type logit = ir_type_of(mlirOperationGetOperand(yield, 0));
  for (intptr_t i = 1; i < count; i++) {
    ir_type value = ir_type_of(mlirOperationGetOperand(yield, i)), leading = value;
    leading.rank = logit.rank;
    if (logit.rank > value.rank || !infer_same_payload(logit, leading))
      return infer_error(in, "the logit does not align with leading dimensions of value %td", i);
  }
  return true;
}

/* Checks that a fold yields one state with the payload of the first one. */
static bool verify_state(const infer *in, MlirOperation yield, ir_type init) {
  if (mlirOperationGetNumOperands(yield) == 1 &&
      infer_same_payload(ir_type_of(mlirOperationGetOperand(yield, 0)), ir_type_payload(init)))
    return true;
  return infer_error(in, "the body of a fold yields the next state, with the payload of 'init'");
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
  if (in->op == IR_OP(gnn, fold)) return verify_state(in, yield, in->types[IR_IN(gnn, fold, init)]);
  if (in->op == IR_OP(inter, fold)) return verify_state(in, yield, in->types[IR_IN(inter, fold, init)]);
  if (!in->info->result_kind && count) return infer_error(in, "the body stores what it computes and yields nothing");
  MlirAttribute reduce = infer_attribute(in, "reduce");
  intptr_t reductions = mlirAttributeIsNull(reduce) ? count : mlirArrayAttrGetNumElements(reduce);
  if (reductions == count) return in->op != IR_OP(inter, softmax_incoming) || verify_softmax(in, yield);
  return infer_error(in, "the body yields %td value%s, but 'reduce' names %td reduction%s", count,
                     count == 1 ? "" : "s", reductions, reductions == 1 ? "" : "s");
}

/* Checks a number of types; the number of graphs is not known. */
static bool verify_count(const infer *in, const char *kind) {
  MlirAttribute count = infer_attribute(in, "count");
  bool is_counted = ir_choice_has(IR_PER_KINDS, kind) && strcmp(kind, "graph") != 0;
  int64_t number = mlirAttributeIsNull(count) ? 0 : mlirIntegerAttrGetValueInt(count);
  return !is_counted || number > 0 || infer_error(in, "'count' must say how many there are");
}

static bool verify_traverse(const infer *in) {
  bool is_one = !strcmp(infer_string(in, "domain"), "one"), has_graph = !mlirValueIsNull(in->values[0]);
  if (is_one && has_graph) return infer_error(in, "a traversal of one runs over no graph");
  if (!is_one && !has_graph) return infer_error(in, "a traversal of %ss needs a graph", infer_string(in, "domain"));
  return verify_count(in, infer_string(in, "domain"));
}

bool verify_body(const infer *in) {
  if (!in->info->region_name) return true;
  if (in->op == IR_OP(intra, gemm) && !verify_gemm(in)) return false;
  if (in->op == IR_OP(intra, traverse) && !verify_traverse(in)) return false;
  if (in->op == IR_OP(inter, for_types) && !verify_count(in, infer_string(in, "per"))) return false;
  MlirBlock block = mlirRegionGetFirstBlock(in->region);
  if (mlirBlockIsNull(block)) return infer_error(in, "the body is empty");
  return verify_arguments(in, block) && verify_yield(in, ir_block_terminator(block));
}
