/* inter-to-intra: what bind prepares of the graph for the kernels of both functions (Pigeon 3.3.5 and the last paragraph of 3.6).
 *
 *   inter.for_incoming over g.replace in run    needs    intra.call {self_loops, set = "g.replace", base = "g", mode = "replace"}
 *                                                        intra.call {adjacency, set = "g.replace", form = "csc", used_by = "run"}
 *
 * Only forms that some kernel asks for are made. */
#include "passes/inter_to_intra.h"

#include "passes/inter_loops.h"

#include <string.h>

/* One call; all strings are interned or literals. */
typedef struct requirement {
  const char *callee;
  const char *set;
  const char *form;
  bool for_run;
} requirement;

typedef struct requirements {
  pass_context *p;
  VEC(requirement) list;
  VEC(const char *) sets; /* made from others, base first */
  bool for_run;
  bool ok;
} requirements;

/* Notes that an edge set must exist; for a set of the user nothing is to be made. */
static void need_set(requirements *r, const char *set) {
  const char *base = ir_base_set(r->p->context, set);
  if (!base) return;
  need_set(r, base);
  for (size_t i = 0; i < r->sets.count; i++)
    if (!strcmp(r->sets.items[i], set)) return;
  VEC_PUSH(r->p->arena, &r->sets, set);
}

static void need(requirements *r, const char *callee, const char *set, const char *form) {
  need_set(r, set);
  for (size_t i = 0; i < r->list.count; i++) {
    requirement *known = &r->list.items[i];
    if (strcmp(known->callee, callee) != 0 || strcmp(known->set, set) != 0 || strcmp(known->form, form) != 0) continue;
    known->for_run = known->for_run || r->for_run;
    return;
  }
  VEC_PUSH(r->p->arena, &r->list, (requirement){callee, set, form, r->for_run});
}

/* src(e) and dst(e) of an edge that no adjacency leads to: the kernel runs over all edges. */
static void need_ends(requirements *r, MlirOperation op) {
  MlirValue edge = mlirOperationGetOperand(op, 0);
  MlirOperation kernel = mlirBlockGetParentOperation(inter_value_block(edge));
  if (!inter_is_inner_loop(kernel)) need(r, "adjacency", ir_type_of(edge).set, "coo");
}

static void need_load(requirements *r, MlirOperation op) {
  MlirValue buffer = ir_operand(op, IR_IN(intra, load, buffer)), cursor = ir_operand(op, IR_IN(intra, load, cursor));
  const char *rows = ir_type_of(buffer).set;
  if (!strcmp(rows, "ntype")) need(r, "types", ir_type_of(cursor).set, "node");
  if (strcmp(rows, "etype") != 0) return;
  const char *set = ir_type_of(cursor).set;
  need(r, "types", set, "edge");
  if (ir_base_set(r->p->context, set))
    r->ok = inter_refuse(r->p, op, "edge types are not known on a graph with added self loops");
}

static void look_at(MlirOperation op, void *user) {
  requirements *r = user;
  const char *set = NULL;
  switch (ir_op_kind(op)) {
  case IR_OP(inter, for_incoming): need(r, "adjacency", ir_type_of(mlirOperationGetOperand(op, 0)).set, "csc"); break;
  case IR_OP(inter, for_outgoing): need(r, "adjacency", ir_type_of(mlirOperationGetOperand(op, 0)).set, "csr"); break;
  case IR_OP(inter, degree):
    set = ir_type_of(mlirOperationGetOperand(op, 0)).set;
    need(r, "adjacency", set, !strcmp(ir_get_string(op, "direction", "in"), "in") ? "csc" : "csr");
    break;
  case IR_OP(inter, src):
  case IR_OP(inter, dst): need_ends(r, op); break;
  case IR_OP(intra, load): need_load(r, op); break;
  case IR_OP(intra, buffer):
    set = ir_type_of(ir_result(op)).set;
    if (!strncmp(set, "edge:", 5)) need_set(r, ir_intern(r->p->context, set + 5));
    break;
  default: break;
  }
}

static void build_calls(const requirements *r, MlirOperation bind) {
  MlirOperation first = mlirBlockGetFirstOperation(ir_func_body(bind));
  while (ir_op_kind(first) == IR_OP(intra, graph) || ir_op_kind(first) == IR_OP(intra, buffer))
    first = mlirOperationGetNextInBlock(first);
  MlirContext context = r->p->context;
  ir_builder b = ir_builder_before(first);
  b.location = mlirOperationGetLocation(bind);
  for (size_t i = 0; i < r->sets.count; i++) {
    const char *set = r->sets.items[i], *base = ir_base_set(context, set);
    ir_attr attributes[] = {{"callee", ir_attr_string(context, "self_loops")},
                            {"set", ir_attr_string(context, set)},
                            {"base", ir_attr_string(context, base)},
                            {"mode", ir_attr_string(context, set + strlen(base) + 1)},
                            {NULL, {NULL}}};
    ir_build(&b, IR_OP(intra, call), NULL, attributes, (MlirRegion){NULL}, (MlirType){NULL});
  }
  for (size_t i = 0; i < r->list.count; i++) {
    const requirement *q = &r->list.items[i];
    ir_attr attributes[] = {{"callee", ir_attr_string(context, q->callee)},
                            {"set", ir_attr_string(context, q->set)},
                            {"form", ir_attr_string(context, q->form)},
                            {"used_by", ir_attr_string(context, q->for_run ? "run" : "bind")},
                            {NULL, {NULL}}};
    ir_build(&b, IR_OP(intra, call), NULL, attributes, (MlirRegion){NULL}, (MlirType){NULL});
  }
}

bool to_intra_prepare_graphs(pass_context *p, MlirOperation bind, MlirOperation run) {
  requirements r = {.p = p, .ok = true};
  inter_walk(ir_func_body(bind), look_at, &r);
  r.for_run = true;
  inter_walk(ir_func_body(run), look_at, &r);
  build_calls(&r, bind);
  return r.ok;
}
