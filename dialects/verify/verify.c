/* Our verifier: MLIR's own checks with the IRDL constraints first, then what IRDL cannot express,
 * with messages in the words of the model. */
#include "dialects/verify/verify.h"

#include <string.h>

static bool report(MlirOperation op, const char *before, ir_type type, const char *after) {
  text message = {0};
  text_append(&message, before);
  ir_type_print(&message, type);
  text_append(&message, after);
  mlirEmitError(mlirOperationGetLocation(op), text_str(&message));
  text_free(&message);
  return false;
}

/* Checks a type: a type of our dialects around something that is no payload decodes as "other". */
static bool verify_type(MlirOperation op, MlirType type) {
  if (ir_type_get(type).kind != IR_KIND_other) return true;
  MlirStringRef home = mlirDialectGetNamespace(mlirTypeGetDialect(type));
  bool is_ours = mlirTypeIsATensor(type) || mlirStringRefEqual(home, ir_ref("gnn")) ||
                 mlirStringRefEqual(home, ir_ref("inter")) || mlirStringRefEqual(home, ir_ref("intra")) ||
                 mlirStringRefEqual(home, ir_ref("device"));
  if (!is_ours) return true;
  text message = {0};
  mlirTypePrint(type, ir_text_callback, &message);
  text_printf(&message, ": a payload is f32, i32 or a tensor of these with 1 to %d dimensions", IR_MAX_RANK);
  mlirEmitError(mlirOperationGetLocation(op), text_str(&message));
  text_free(&message);
  return false;
}

static bool verify_types(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (!verify_type(op, mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        if (!verify_type(op, mlirValueGetType(mlirBlockGetArgument(block, i)))) return false;
  }
  return true;
}

static bool verify_weight(MlirOperation op) {
  MlirAttribute type = ir_get_attr(op, "type");
  if (!verify_type(op, mlirTypeAttrGetValue(type))) return false;
  ir_type t = ir_type_get(mlirTypeAttrGetValue(type));
  if (t.is_integer) return report(op, "a weight is f32, not ", t, "");
  if (t.kind == IR_KIND_plain || t.kind == IR_KIND_per) return true;
  return report(op, "a weight is a plain tensor or one per type, not ", t, "");
}

static bool verify_result(const infer *in) {
  ir_type inferred;
  if (!infer_result(in, &inferred)) return false;
  if (!in->info->result_kind) return true;
  ir_type written = ir_type_of(ir_result(in->existing));
  ir_type same_payload = ir_type_with_payload(inferred, written);
  if (ir_type_equal(written, same_payload) && infer_same_payload(written, inferred)) return true;
  text found = {0}, wanted = {0};
  ir_type_print(&found, written);
  ir_type_print(&wanted, inferred);
  bool is_set = !strcmp(text_str(&found), text_str(&wanted));
  if (is_set)
    infer_error(in, "%s gives a value of '%s', but the type written here is of '%s'", in->info->name, inferred.set,
                written.set);
  else
    infer_error(in, "%s gives %s, but the type written here is %s", in->info->name, text_str(&wanted),
                text_str(&found));
  text_free(&found);
  text_free(&wanted);
  return false;
}

/* Checks that values inside of loops are payloads; values per node or per edge stay outside. */
static bool verify_place(const infer *in) {
  MlirOperation parent = mlirOperationGetParentOperation(in->existing);
  if (mlirOperationIsNull(parent) || ir_op_kind(parent) == IR_OTHER || !in->info->result_kind) return true;
  ir_type type = ir_type_of(ir_result(in->existing));
  bool is_payload = type.kind == IR_KIND_plain || type.kind == IR_KIND_cursor || type.kind == IR_KIND_results;
  return is_payload || report(in->existing, "inside a loop values are payloads, but this gives ", type, "");
}

static bool is_in_kernel(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    ir_op kind = ir_op_kind(op);
    if (kind == IR_OTHER) return false;
    if (kind == IR_OP(intra, gemm) || kind == IR_OP(intra, traverse)) return true;
  }
  return false;
}

/* Checks that operations in kernels have their plain form, without activation and so on. */
static bool verify_plain(const infer *in) {
  if (strncmp(in->info->name, "gnn.", 4) != 0 || !is_in_kernel(in->existing)) return true;
  if (in->op == IR_OP(gnn, row_normalize) || in->op == IR_OP(gnn, batch_norm))
    return infer_error(in, "%s does not occur in a kernel: it is lowered to what it consists of", in->info->name);
  if (!mlirAttributeIsNull(infer_attribute(in, "activation")))
    return infer_error(in, "in a kernel gnn.activation alone applies an activation");
  bool is_sum = in->op == IR_OP(gnn, linear) && (!mlirValueIsNull(in->values[IR_IN(gnn, linear, bias)]) ||
                                                 !mlirValueIsNull(in->values[IR_IN(gnn, linear, addend)]));
  return !is_sum || infer_error(in, "in a kernel a product is not added to: gnn.vector_add does that");
}

static bool verify_ours(MlirOperation op, ir_op kind) {
  if (!verify_attributes(op, ir_op_info_get(kind))) return false;
  infer in = infer_of(op);
  return verify_result(&in) && verify_place(&in) && verify_plain(&in) && verify_body(&in) && verify_intra(&in) &&
         verify_device(&in);
}

/* Checks gnn.phase of a function, which may be absent. Passes find functions by it. */
static bool verify_phase(MlirOperation op) {
  static const char *const phases[] = {"bind", "run", "gradients", "evaluate", "forward", "backward"};
  MlirAttribute phase = ir_get_attr(op, "gnn.phase");
  if (mlirAttributeIsNull(phase)) return true;
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
    if (ir_string_is(op, "gnn.phase", phases[i])) return true;
  text message = {0};
  text_append(&message, "gnn.phase is ");
  mlirAttributePrint(phase, ir_text_callback, &message);
  text_append(
      &message,
      ", expected \"bind\", \"run\", or, of training, \"gradients\", \"evaluate\", \"forward\" or \"backward\"");
  mlirEmitError(mlirOperationGetLocation(op), text_str(&message));
  text_free(&message);
  return false;
}

/* Checks the numbers of types that a graph declares: passes and programs rely on there being no others. */
static bool verify_counts(MlirOperation op) {
  static const char *const names[] = {"gnn.edge_types", "gnn.node_types"};
  MlirAttribute all = ir_get_attr(op, "arg_attrs");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) || !ir_func_body(op).ptr) return true;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); i++)
    for (size_t k = 0; k < 2; k++) {
      MlirAttribute count = ir_func_arg_attr(op, (size_t)i, names[k]);
      if (mlirAttributeIsNull(count)) continue;
      bool is_graph = ir_type_of(mlirBlockGetArgument(ir_func_body(op), i)).kind == IR_KIND_graph;
      if (is_graph && mlirAttributeIsAInteger(count) && mlirIntegerAttrGetValueInt(count) > 0) continue;
      text message = {0};
      text_printf(&message, "%s of argument %td: expected a positive number at a graph", names[k], i);
      mlirEmitError(mlirOperationGetLocation(op), text_str(&message));
      text_free(&message);
      return false;
    }
  return true;
}

/* Checks the types of nodes at the ends of each type of edges, -1 where any may be. */
static bool verify_ends(MlirOperation op) {
  MlirAttribute all = ir_get_attr(op, "arg_attrs");
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) || !ir_func_body(op).ptr) return true;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(all); i++) {
    MlirAttribute ends = ir_func_arg_attr(op, (size_t)i, "gnn.edge_ends");
    if (mlirAttributeIsNull(ends)) continue;
    MlirAttribute edges = ir_func_arg_attr(op, (size_t)i, "gnn.edge_types");
    MlirAttribute nodes = ir_func_arg_attr(op, (size_t)i, "gnn.node_types");
    bool is_good = mlirAttributeIsADenseI64Array(ends) && !mlirAttributeIsNull(edges) && !mlirAttributeIsNull(nodes) &&
                   mlirDenseArrayGetNumElements(ends) == 2 * mlirIntegerAttrGetValueInt(edges);
    for (intptr_t k = 0; is_good && k < mlirDenseArrayGetNumElements(ends); k++) {
      int64_t type = mlirDenseI64ArrayGetElement(ends, k);
      is_good = type >= -1 && type < mlirIntegerAttrGetValueInt(nodes);
    }
    if (is_good) continue;
    text message = {0};
    text_printf(&message, "gnn.edge_ends of argument %td: expected two types of nodes, or -1, for each type of edges",
                i);
    mlirEmitError(mlirOperationGetLocation(op), text_str(&message));
    text_free(&message);
    return false;
  }
  return true;
}

static MlirWalkResult verify_op(MlirOperation op, void *ok) {
  ir_op kind = ir_op_kind(op);
  bool good = verify_types(op);
  if (good && kind != IR_OTHER)
    good = verify_ours(op, kind);
  else if (good && ir_is_weight(op))
    good = verify_weight(op);
  else if (good)
    good = verify_phase(op) && verify_counts(op) && verify_ends(op);
  if (!good) *(bool *)ok = false;
  return MlirWalkResultAdvance;
}

bool ir_verify(MlirOperation root) {
  bool ok = mlirOperationVerify(root);
  if (ok) mlirOperationWalk(root, verify_op, &ok, MlirWalkPreOrder);
  return ok;
}
