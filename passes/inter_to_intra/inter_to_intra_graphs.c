/* inter-to-intra: what bind prepares of the graph for the kernels of both functions (Pigeon,
 * Section 3.3.5 and the last paragraph of Section 3.6).
 *
 *   inter.for_incoming over g.replace in run    needs    intra.call {self_loops, set = "g.replace", base = "g", mode = "replace"}
 *                                                        intra.call {adjacency, set = "g.replace", form = "csc", used_by = "run"}
 *
 * Only forms that some kernel needs are made. */
#include "passes/inter_to_intra/inter_to_intra.h"

#include "passes/inter/inter_loops.h"
#include "support/edge_mode.h"

#include <string.h>

/* One call; all strings are interned or literals. */
typedef struct requirement {
  const char *callee;
  const char *set;
  const char *form;
  const char *mode; /* of parts: the type; else NULL */
  bool for_run;
  MlirLocation location; /* of the first operation that needs it */
} requirement;

typedef struct named_set {
  const char *set;
  MlirLocation location;
} named_set;

typedef struct requirements {
  pass_context *p;
  VEC(requirement) list;
  VEC(named_set) sets;   /* sets that are made from others, the base first */
  VEC(named_set) graphs; /* where the model makes them */
  MlirLocation location; /* of the operation that is looked at */
  bool for_run;
  bool ok;
} requirements;

/* Notes that an edge set must exist; a set of the user exists already. */
static void need_set(requirements *r, const char *set) {
  const char *base = ir_base_set(r->p->context, set);
  if (!base) return;
  need_set(r, base);
  for (size_t i = 0; i < r->sets.count; i++)
    if (!strcmp(r->sets.items[i].set, set)) return;
  VEC_PUSH(r->p->arena, &r->sets, ((named_set){set, r->location}));
}

static bool is_same(const requirement *a, const requirement *b) {
  return !strcmp(a->callee, b->callee) && !strcmp(a->set, b->set) && !strcmp(a->form, b->form) && a->mode == b->mode;
}

static void need_call(requirements *r, requirement wanted) {
  need_set(r, wanted.set);
  wanted.for_run = r->for_run;
  wanted.location = r->location;
  for (size_t i = 0; i < r->list.count; i++) {
    requirement *known = &r->list.items[i];
    if (!is_same(known, &wanted)) continue;
    known->for_run = known->for_run || r->for_run;
    return;
  }
  VEC_PUSH(r->p->arena, &r->list, wanted);
}

static void need(requirements *r, const char *callee, const char *set, const char *form) {
  need_call(r, (requirement){.callee = callee, .set = set, .form = form});
}

/* Notes that the nodes of "g:2" are needed, or the place of each node of g among them. */
static void need_part(requirements *r, const char *set, const char *form) {
  const char *whole = ir_whole_set(r->p->context, set);
  if (whole)
    need_call(r, (requirement){.callee = "parts",
                               .set = whole,
                               .form = form,
                               .mode = ir_intern(r->p->context, set + strlen(whole) + 1)});
}

static const char *set_of(MlirOperation op, intptr_t operand) {
  return ir_type_of(mlirOperationGetOperand(op, operand)).set;
}

static const char *set_of_result(MlirOperation op) {
  return ir_type_of(ir_result(op)).set;
}

/* Notes that src(e) or dst(e) is needed for edges that no adjacency leads to: the kernel runs over
 * all edges, or over those of a pair. */
static void need_ends(requirements *r, MlirOperation op) {
  MlirValue edge = mlirOperationGetOperand(op, 0);
  if (mlirValueIsABlockArgument(edge)) {
    ir_op kind = ir_op_kind(mlirBlockGetParentOperation(inter_value_block(edge)));
    if (kind == IR_OP(inter, for_incoming) || kind == IR_OP(inter, for_outgoing) ||
        kind == IR_OP(inter, softmax_incoming) || kind == IR_OP(inter, fold))
      return;
  }
  need(r, "adjacency", ir_type_of(edge).set, "coo");
}

/* Whether a set has types: the caller's graph and its pairs do, and chosen edges of it. */
static bool has_types(requirements *r, MlirOperation op, const char *set) {
  const char *base = ir_base_set(r->p->context, set);
  if (!base || ir_unique_end(set)) return true;
  if (!ir_base_set(r->p->context, base) && edge_mode_is_chosen(edge_mode_read(strchr(set, '.') + 1))) return true;
  return r->ok = inter_refuse(r->p, op, "edge types are not known on a graph with added self loops");
}

/* Notes the types that select the row of a value per type. */
static void need_type(requirements *r, MlirOperation op, const char *per, ir_type cursor) {
  const char *at = cursor.detail;
  if (!strcmp(per, at)) return;
  if (!strcmp(per, "graph"))
    need(r, "batch", cursor.set, "graph");
  else if (!strcmp(at, "etype_src") || !strcmp(at, "etype_dst"))
    need(r, "types", cursor.set, at);
  else if (!strcmp(per, "ntype"))
    need(r, "types", cursor.set, "node");
  else if (has_types(r, op, cursor.set))
    need(r, "types", cursor.set, !strcmp(per, "etype") ? "edge" : per);
}

static bool is_per_type(const char *rows) {
  return !strcmp(rows, "etype") || !strcmp(rows, "ntype") || !strcmp(rows, "etype_src") || !strcmp(rows, "etype_dst") ||
         !strcmp(rows, "graph");
}

static void need_load(requirements *r, MlirOperation op) {
  const char *rows = ir_type_of(ir_operand(op, IR_IN(intra, load, buffer))).set;
  if (is_per_type(rows)) need_type(r, op, rows, ir_type_of(ir_operand(op, IR_IN(intra, load, cursor))));
}

/* Notes the types that select the matrix of a row. Rows of a part have one type; pairs are grouped
 * by the type of their end within each edge type. */
static void need_matrices(requirements *r, MlirOperation op, const char *rows, const char *set) {
  const char *end = ir_unique_end(set);
  if (strcmp(rows, "ntype") != 0) {
    if (has_types(r, op, set)) need(r, "segments", set, !strcmp(rows, "etype") ? "edge" : rows);
  } else if (end || ir_whole_set(r->p->context, set)) {
    need(r, "types", end ? ir_node_set(r->p->context, set) : ir_whole_set(r->p->context, set), "node");
    if (end) need(r, "adjacency", set, "coo");
  } else {
    need(r, "segments", set, "node");
  }
}

/* Notes what is needed to read the rows of A, and to select matrices. */
static void need_product(requirements *r, MlirOperation op) {
  ir_type cursor = ir_type_of(inter_cursor_of(op));
  const char *gather = ir_get_string(op, "gather", "none"), *rows = set_of(op, IR_IN(intra, gemm, b));
  if (!strcmp(gather, "src") || !strcmp(gather, "dst"))
    need(r, "adjacency", cursor.set, "coo");
  else if (strcmp(gather, "none") != 0)
    need(r, "groups", set_of(op, IR_IN(intra, gemm, a)) + strlen("edge:"), "pair");
  if (is_per_type(rows)) need_matrices(r, op, rows, cursor.set);
}

_Static_assert(IR_IN(intra, contract, b) == IR_IN(intra, sum_by, index) &&
                   IR_IN(intra, contract, to) == IR_IN(intra, sum_by, to),
               "operands of sums over rows have the same places");

/* The rows that are added up, as those of a buffer. */
static const char *contracted_rows(requirements *r, MlirOperation op, const char *const gathers[2]) {
  bool are_edges = strcmp(gathers[0], "none") != 0 || strcmp(gathers[1], "none") != 0;
  const char *set = set_of(op, 0);
  return are_edges ? arena_printf(r->p->arena, "edge:%s", set)
                   : ir_type_of(ir_operand(op, IR_IN(intra, contract, b))).set;
}

/* Notes what is needed to read the rows of both operands of a contract or a sum_by, and to find those of each type. */
static void need_contract(requirements *r, MlirOperation op) {
  bool is_sum_by = ir_op_kind(op) == IR_OP(intra, sum_by);
  const char *const gathers[2] = {ir_get_string(op, is_sum_by ? "gather_value" : "gather_a", "none"),
                                  ir_get_string(op, is_sum_by ? "gather_index" : "gather_b", "none")};
  const char *rows = contracted_rows(r, op, gathers), *colon = strchr(rows, ':');
  if (!colon) return; /* types, or graphs of a batch: the header knows how many there are */
  const char *set = ir_intern(r->p->context, colon + 1);
  for (int i = 0; i < 2; i++) {
    if (!strcmp(gathers[i], "src") || !strcmp(gathers[i], "dst"))
      need(r, "adjacency", set, "coo");
    else if (strcmp(gathers[i], "none") != 0)
      need(r, "groups", ir_unique_set(r->p->context, set, gathers[i] + strlen("group_")), "pair");
  }
  const char *per = ir_type_of(ir_operand(op, IR_IN(intra, contract, to))).set;
  if (is_per_type(per) && !ir_whole_set(r->p->context, set)) need_matrices(r, op, per, set);
  if (!strncmp(rows, "edge:", 5)) need_set(r, set);
}

static void need_members(requirements *r, MlirOperation op) {
  ir_type of = ir_type_of(ir_operand(op, IR_IN(inter, for_members, of)));
  if (!strcmp(of.detail, "graph"))
    need(r, "batch", of.set, "members");
  else if (!strcmp(of.detail, "piece"))
    need(r, "pieces", of.set, "members");
  else
    need(r, "groups", of.set, "members");
}

/* Notes what the edges of a set are made from: the nodes of each graph, or the edges into each node. */
static void need_edges(requirements *r, MlirOperation op) {
  const char *base = ir_intern(r->p->context, ir_get_string(op, "base", ""));
  if (ir_string_is(op, "by", "near"))
    need(r, "batch", ir_node_set(r->p->context, base), "members");
  else
    need(r, "adjacency", base, "csc");
}

/* Notes what leads to the members of groups and to the rows of their values. */
static void need_groups(requirements *r, MlirOperation op) {
  const char *over = ir_get_string(op, "over", "in"), *set = set_of(op, 0);
  bool is_graph = !strcmp(over, "graph");
  need(r, is_graph ? "batch" : "adjacency", set, is_graph ? "members" : !strcmp(over, "in") ? "csc" : "csr");
}

/* Notes the pairs of opposite edges, which are found among the edges into and out of each node. */
static void need_opposite(requirements *r, MlirOperation op) {
  const char *set = set_of(op, IR_IN(intra, opposite_edges, from)) + strlen("edge:");
  need(r, "adjacency", set, "csc");
  need(r, "adjacency", set, "csr");
  need(r, "opposite", set, "edge");
}

static void need_buffer(requirements *r, MlirOperation op) {
  const char *rows = ir_type_of(ir_result(op)).set;
  if (!strncmp(rows, "edge:", 5)) need_set(r, ir_intern(r->p->context, rows + 5));
  if (!strncmp(rows, "node:", 5)) need_part(r, rows + 5, "nodes");
}

static void look_at(MlirOperation op, void *user) {
  requirements *r = user;
  r->location = mlirOperationGetLocation(op);
  switch (ir_op_kind(op)) {
  case IR_OP(intra, graph): VEC_PUSH(r->p->arena, &r->graphs, ((named_set){set_of_result(op), r->location})); break;
  case IR_OP(inter, for_incoming):
  case IR_OP(inter, softmax_incoming): need(r, "adjacency", set_of(op, 0), "csc"); break;
  case IR_OP(inter, for_outgoing): need(r, "adjacency", set_of(op, 0), "csr"); break;
  case IR_OP(inter, degree):
    need(r, "adjacency", set_of(op, 0), ir_string_is(op, "direction", "in") ? "csc" : "csr");
    break;
  case IR_OP(inter, src):
  case IR_OP(inter, dst): need_ends(r, op); break;
  case IR_OP(inter, group): need(r, "groups", set_of_result(op), "pair"); break;
  case IR_OP(inter, group_size): need(r, "groups", set_of(op, 0), "members"); break;
  case IR_OP(inter, for_members): need_members(r, op); break;
  case IR_OP(inter, fold):
    if (!ir_string_is(op, "over", "steps")) need_groups(r, op);
    break;
  case IR_OP(intra, order):
  case IR_OP(intra, first):
  case IR_OP(intra, place_first):
  case IR_OP(intra, quantile): need_groups(r, op); break;
  case IR_OP(intra, unite): need_part(r, set_of(op, 0) + strlen("node:"), "place"); break;
  case IR_OP(inter, whole_row): need_part(r, set_of(op, 0), "nodes"); break;
  case IR_OP(intra, load): need_load(r, op); break;
  case IR_OP(intra, make_edges): need_edges(r, op); break;
  case IR_OP(intra, opposite_edges): need_opposite(r, op); break;
  case IR_OP(intra, top_nodes):
    need(r, "batch", ir_intern(r->p->context, set_of(op, 0) + strlen("node:")), "members");
    break;
  case IR_OP(intra, gemm): need_product(r, op); break;
  case IR_OP(intra, contract):
  case IR_OP(intra, sum_by): need_contract(r, op); break;
  case IR_OP(intra, buffer): need_buffer(r, op); break;
  default: break;
  }
}

/* The place of a set in the model: where it is made, else what needs it. */
static MlirLocation location_of(const requirements *r, const named_set *needed) {
  for (size_t i = 0; i < r->graphs.count; i++)
    if (!strcmp(r->graphs.items[i].set, needed->set)) return r->graphs.items[i].location;
  return needed->location;
}

static void build_calls(const requirements *r, MlirOperation bind) {
  MlirOperation first = mlirBlockGetFirstOperation(ir_func_body(bind));
  while (ir_op_kind(first) == IR_OP(intra, graph) || ir_op_kind(first) == IR_OP(intra, buffer))
    first = mlirOperationGetNextInBlock(first);
  MlirContext context = r->p->context;
  ir_builder b = ir_builder_before(first);
  for (size_t i = 0; i < r->sets.count; i++) {
    const char *set = r->sets.items[i].set, *base = ir_base_set(context, set);
    if (ir_is_run_set(set)) continue;
    b.location = location_of(r, &r->sets.items[i]);
    bool is_unique = ir_unique_end(set);
    MlirAttribute mode = ir_attr_string(context, set + strlen(base) + 1);
    ir_attr attributes[] = {{"callee", ir_attr_string(context, is_unique ? "unique" : "edge_set")},
                            {"set", ir_attr_string(context, set)},
                            {"base", ir_attr_string(context, base)},
                            {"mode", is_unique ? (MlirAttribute){NULL} : mode},
                            {NULL, {NULL}}};
    ir_build(&b, IR_OP(intra, call), NULL, attributes, (MlirRegion){NULL}, (MlirType){NULL});
  }
  for (size_t i = 0; i < r->list.count; i++) {
    const requirement *q = &r->list.items[i];
    b.location = q->location;
    bool is_groups = !strcmp(q->callee, "groups");
    MlirAttribute none = {NULL};
    ir_attr attributes[] = {{"callee", ir_attr_string(context, q->callee)},
                            {"set", ir_attr_string(context, q->set)},
                            {"base", is_groups ? ir_attr_string(context, ir_base_set(context, q->set)) : none},
                            {"mode", q->mode ? ir_attr_string(context, q->mode) : none},
                            {"form", ir_attr_string(context, q->form)},
                            {"used_by", ir_attr_string(context, q->for_run ? "run" : "bind")},
                            {NULL, {NULL}}};
    ir_build(&b, IR_OP(intra, call), NULL, attributes, (MlirRegion){NULL}, (MlirType){NULL});
  }
}

bool to_intra_prepare_graphs(pass_context *p, MlirOperation bind, const to_intra_functions *runs) {
  requirements r = {.p = p, .ok = true};
  inter_walk(ir_func_body(bind), look_at, &r);
  r.for_run = true;
  for (size_t i = 0; i < runs->count; i++) inter_walk(ir_func_body(runs->items[i]), look_at, &r);
  build_calls(&r, bind);
  return r.ok;
}
