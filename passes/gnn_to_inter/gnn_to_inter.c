/* gnn-to-inter: replaces every operation on nodes, edges or weights by one canonical loop (Pigeon,
 * Section 3.2).
 *
 *   %h = gnn.activation(%x) {relu}    becomes    %l = inter.for_nodes(%g) { ^(%i): %a = inter.at(%x, %i); %b = gnn.activation(%a) {relu}; yield %b }
 *                                                %h = inter.result(%l) {index = 0}
 *
 * The body has the operation itself, on payloads. Graph construction (self_loops, near_edges,
 * extend_edges, opposite_edges, top_nodes, ...) stays as it is: it consists of calls. Sums over
 * rows (contract, sum_by) stay, too: they are kernels of their own. */
#include "passes/gnn_to_inter/gnn_to_inter.h"
#include "passes/inter/inter_loops.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* ---- graphs ---- */

static bool makes_graph(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 && ir_type_of(ir_result(op)).kind == IR_KIND_graph;
}

/* Collects the graphs of a function. Those that it makes of the caller's graph are moved to its
 * beginning, so that every loop can use them; others depend on values that run computes. */
static void collect_graphs(to_inter *l) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(l->body); i++) {
    MlirValue argument = mlirBlockGetArgument(l->body, i);
    if (ir_type_of(argument).kind == IR_KIND_graph) VEC_PUSH(l->p->arena, &l->graphs, argument);
  }
  MlirOperation first = {NULL}; /* the first operation that does not make a graph */
  IR_FOR_EACH_OP_SAFE(op, l->body) {
    if (!makes_graph(op) || ir_is_run_set(ir_type_of(ir_result(op)).set)) {
      if (makes_graph(op)) VEC_PUSH(l->p->arena, &l->graphs, ir_result(op));
      if (mlirOperationIsNull(first)) first = op;
      continue;
    }
    if (!mlirOperationIsNull(first)) mlirOperationMoveBefore(op, first);
    VEC_PUSH(l->p->arena, &l->graphs, ir_result(op));
  }
}

static MlirValue find_graph(const to_inter *l, const char *set) {
  for (size_t i = 0; i < l->graphs.count; i++)
    if (!strcmp(ir_type_of(l->graphs.items[i]).set, set)) return l->graphs.items[i];
  return (MlirValue){NULL};
}

/* The graph with an edge set. A graph that this function does not make (because its values come
 * from bind) is made at the beginning. */
MlirValue to_inter_edge_graph(to_inter *l, const char *set) {
  MlirValue graph = find_graph(l, set);
  const char *base = ir_base_set(l->p->context, set);
  if (!mlirValueIsNull(graph) || !base) return graph;
  MlirValue from = to_inter_edge_graph(l, base);
  if (mlirValueIsNull(from)) return from;
  MlirOperation made = ir_defining_op(from);
  ir_builder b = ir_builder_before(mlirOperationIsNull(made) ? mlirBlockGetFirstOperation(l->body)
                                                             : mlirOperationGetNextInBlock(made));
  const char *end = ir_unique_end(set);
  ir_attr attributes[] = {{end ? "end" : "mode", ir_attr_string(l->p->context, end ? end : set + strlen(base) + 1)},
                          {NULL, {NULL}}};
  graph = ir_build_value(&b, end ? IR_OP(gnn, unique_edges) : IR_OP(gnn, edge_set), &from, attributes);
  if (!mlirValueIsNull(graph)) VEC_PUSH(l->p->arena, &l->graphs, graph);
  return graph;
}

MlirValue to_inter_node_graph(to_inter *l, const char *set) {
  const char *whole = ir_whole_set(l->p->context, set);
  if (whole) set = whole;
  MlirValue graph = find_graph(l, set);
  for (size_t i = 0; i < l->graphs.count && mlirValueIsNull(graph); i++)
    if (!strcmp(ir_node_set(l->p->context, ir_type_of(l->graphs.items[i]).set), set)) graph = l->graphs.items[i];
  return graph;
}

/* ---- types ---- */

/* The value that bind returns for an argument of run. */
static MlirValue bound_value(const to_inter *l, MlirValue argument) {
  int64_t result = l->bound ? l->bound[mlirBlockArgumentGetArgNumber(argument)] : -1;
  return result < 0 ? (MlirValue){NULL} : mlirOperationGetOperand(ir_block_terminator(ir_func_body(l->bind)), result);
}

int64_t to_inter_count(const to_inter *l, MlirValue value) {
  if (!strcmp(ir_type_of(value).set, "graph")) return -1;
  if (!strcmp(ir_type_of(value).set, "piece")) return IR_PIECES;
  if (mlirValueIsABlockArgument(value)) {
    MlirAttribute said = ir_func_arg_attr(l->func, (size_t)mlirBlockArgumentGetArgNumber(value), "gnn.count");
    if (!mlirAttributeIsNull(said)) return mlirIntegerAttrGetValueInt(said);
    value = bound_value(l, value);
    return mlirValueIsNull(value) || mlirValueIsABlockArgument(value) ? 0 : to_inter_count(l, value);
  }
  MlirOperation op = ir_defining_op(value);
  if (ir_op_kind(op) == IR_OP(inter, result)) op = ir_defining_op(mlirOperationGetOperand(op, 0));
  const char *symbol = ir_weight_symbol(op);
  if (symbol) return map_get(l->weight_counts, symbol, 0);
  int64_t count = ir_get_integer(op, "count", 0);
  for (intptr_t i = 0; !count && i < mlirOperationGetNumOperands(op); i++)
    if (ir_type_of(mlirOperationGetOperand(op, i)).kind == IR_KIND_per)
      count = to_inter_count(l, mlirOperationGetOperand(op, i));
  return count;
}

static map count_weights(MlirOperation module, pass_context *p) {
  map counts = {.arena = p->arena};
  IR_FOR_EACH_OP(op, ir_region_block(module))
    if (ir_is_weight(op)) map_set(&counts, ir_get_string(op, "sym_name", ""), ir_get_integer(op, "gnn.count", 0));
  return counts;
}

/* ---- loops ---- */

static const char *domain_in_words(ir_kind kind) {
  return kind == IR_KIND_edge ? "edges" : kind == IR_KIND_per ? "types" : "nodes";
}

/* The graph that has the types: the user's. */
static MlirValue typed_graph(const to_inter *l) {
  for (size_t i = 0; i < l->graphs.count; i++)
    if (!ir_base_set(l->p->context, ir_type_of(l->graphs.items[i]).set)) return l->graphs.items[i];
  return (MlirValue){NULL};
}

/* Chooses graph and cursor of a loop over nodes, edges or types. */
static bool choose_domain(to_inter_loop *loop, ir_type domain, MlirType *cursor) {
  to_inter *l = loop->l;
  const char *at = domain.kind == IR_KIND_edge ? "edge" : "node", *set = domain.set;
  loop->kind = domain.kind == IR_KIND_edge ? IR_OP(inter, for_edges) : IR_OP(inter, for_nodes);
  if (domain.kind == IR_KIND_edge) {
    loop->graph = to_inter_edge_graph(l, set);
  } else if (domain.kind == IR_KIND_per) {
    loop->kind = IR_OP(inter, for_types);
    loop->per = at = set;
    loop->graph = typed_graph(l);
    loop->count = to_inter_count(l, ir_result(loop->op));
  } else {
    loop->graph = to_inter_node_graph(l, set);
  }
  if (mlirValueIsNull(loop->graph))
    return l->ok = inter_refuse(l->p, loop->op, "no graph of this function has the %s of '%s'",
                                domain_in_words(domain.kind), set);
  if (loop->kind == IR_OP(inter, for_types) && !loop->count)
    return l->ok = inter_refuse(l->p, loop->op, "nothing says how many types there are");
  if (domain.kind == IR_KIND_per) set = ir_type_of(loop->graph).set;
  *cursor = ir_type_make(l->p->context, ir_type_cursor(at, set));
  return true;
}

bool to_inter_begin(to_inter *l, MlirOperation op, ir_type domain, to_inter_loop *loop) {
  *loop = (to_inter_loop){.l = l, .op = op, .kind = IR_OP(inter, once)};
  MlirLocation location = mlirOperationGetLocation(op);
  size_t arguments = domain.kind != IR_KIND_plain;
  MlirType cursor = {NULL};
  if (arguments && !choose_domain(loop, domain, &cursor)) return false;
  MlirBlock block;
  loop->region = ir_region_create(l->p->context, &cursor, arguments, location, &block);
  loop->b = ir_builder_at_end(block, location);
  if (arguments) loop->cursor = mlirBlockGetArgument(block, 0);
  return true;
}

/* Whether an operation is a value per type at the nodes of one type; it is read where all nodes
 * read it. */
static bool is_sliced_part(MlirOperation op) {
  return !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(gnn, part) &&
         !mlirOperationIsNull(gnn_producer(ir_operand(op, IR_IN(gnn, part, value)), IR_OP(gnn, slice)));
}

MlirValue to_inter_at(const ir_builder *b, MlirValue value, MlirValue cursor) {
  MlirOperation part = ir_defining_op(value);
  if (is_sliced_part(part)) {
    value = ir_operand(part, IR_IN(gnn, part, value));
    cursor = ir_build_value(b, IR_OP(inter, whole_row), &cursor, NULL);
  }
  MlirOperation slice = gnn_producer(value, IR_OP(gnn, slice));
  if (!mlirOperationIsNull(slice)) value = ir_operand(slice, IR_IN(gnn, slice, value));
  const MlirValue operands[IR_MAX_OPERANDS] = {value, cursor};
  return ir_build_value(b, IR_OP(inter, at), operands, NULL);
}

MlirValue to_inter_payload(to_inter_loop *loop, MlirValue value) {
  if (mlirValueIsNull(value)) return value;
  double number;
  if (gnn_constant_get(value, &number)) return gnn_build_constant(&loop->b, number);
  if (ir_type_of(value).kind == IR_KIND_plain) return value;
  return to_inter_at(&loop->b, value, loop->cursor);
}

MlirValue to_inter_close(to_inter_loop *loop, MlirValue payload) {
  to_inter *l = loop->l;
  if (mlirValueIsNull(payload)) {
    mlirRegionDestroy(loop->region);
    l->ok = false;
    return payload;
  }
  ir_build_yield(&loop->b, &payload, 1);
  ir_builder b = ir_builder_before(loop->op);
  const MlirValue operands[IR_MAX_OPERANDS] = {loop->graph};
  const ir_attr types[] = {{"per", loop->per ? ir_attr_string(b.context, loop->per) : (MlirAttribute){NULL}},
                           {"count", loop->per ? ir_attr_integer(b.context, loop->count) : (MlirAttribute){NULL}},
                           {NULL, {NULL}}};
  MlirOperation made = ir_build(&b, loop->kind, operands, types, loop->region, (MlirType){NULL});
  MlirValue result = mlirOperationIsNull(made) ? (MlirValue){NULL} : ir_build_result(&b, made, 0);
  if (mlirValueIsNull(result)) l->ok = false;
  if (!mlirOperationIsNull(made) && ir_get_bool(loop->op, "gnn.again"))
    ir_set_attr(made, "gnn.again", ir_attr_bool(b.context, true));
  return result;
}

void to_inter_end(to_inter_loop *loop, MlirValue payload) {
  MlirValue result = to_inter_close(loop, payload);
  if (mlirValueIsNull(result)) return;
  mlirValueReplaceAllUsesOfWith(ir_result(loop->op), result);
  mlirOperationDestroy(loop->op);
  loop->l->p->changed++;
}

to_inter_inner to_inter_inner_begin(const to_inter_loop *loop, ir_op kind, MlirValue over, ir_type cursor) {
  to_inter_inner inner = {.kind = kind, .operands = {over, loop->cursor}};
  MlirBlock block;
  MlirType type = ir_type_make(loop->b.context, cursor);
  inner.region = ir_region_create(loop->b.context, &type, 1, loop->b.location, &block);
  inner.b = ir_builder_at_end(block, loop->b.location);
  inner.cursor = mlirBlockGetArgument(block, 0);
  return inner;
}

MlirOperation to_inter_inner_end(const to_inter_loop *loop, to_inter_inner *inner, const MlirValue *yields,
                                 const char *const *reductions, size_t count) {
  ir_build_yield(&inner->b, yields, count);
  ir_attr attributes[] = {{"reduce", ir_attr_strings(loop->b.context, reductions, count)}, {NULL, {NULL}}};
  return ir_build(&loop->b, inner->kind, inner->operands, attributes, inner->region, (MlirType){NULL});
}

/* ---- operations ---- */

MlirValue to_inter_end_of(const ir_builder *b, MlirValue edge, bool at_source) {
  return ir_build_value(b, at_source ? IR_OP(inter, src) : IR_OP(inter, dst), &edge, NULL);
}

static void lower_aggregate(to_inter *l, MlirOperation op) {
  MlirValue graph = ir_operand(op, IR_IN(gnn, aggregate, graph)), value = ir_operand(op, IR_IN(gnn, aggregate, value));
  MlirValue weight = ir_operand(op, IR_IN(gnn, aggregate, weight));
  bool incoming = ir_string_is(op, "direction", "in");
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  to_inter_inner inner = to_inter_inner_begin(&loop, incoming ? IR_OP(inter, for_incoming) : IR_OP(inter, for_outgoing),
                                              graph, ir_type_cursor("edge", ir_type_of(graph).set));
  bool is_edge = ir_type_of(value).kind == IR_KIND_edge;
  MlirValue payload =
      to_inter_at(&inner.b, value, is_edge ? inner.cursor : to_inter_end_of(&inner.b, inner.cursor, incoming));
  if (!mlirValueIsNull(weight))
    payload = gnn_build_binary(&inner.b, IR_OP(gnn, multiply), to_inter_at(&inner.b, weight, inner.cursor), payload);
  const char *reduce = ir_get_string(op, "reduce", "sum");
  MlirOperation edges = to_inter_inner_end(&loop, &inner, &payload, &reduce, 1);
  to_inter_end(&loop, gnn_build_activation_of(&loop.b, op, ir_build_result(&loop.b, edges, 0)));
}

static void lower_gather(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  MlirValue end = to_inter_end_of(&loop.b, loop.cursor, ir_string_is(op, "end", "src"));
  to_inter_end(&loop, to_inter_at(&loop.b, ir_operand(op, IR_IN(gnn, gather, value)), end));
}

static void lower_degree(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  const MlirValue operands[IR_MAX_OPERANDS] = {ir_operand(op, IR_IN(gnn, degree, graph)), loop.cursor};
  ir_attr attributes[] = {{"direction", ir_attr_string(l->p->context, ir_get_string(op, "direction", "in"))},
                          {NULL, {NULL}}};
  to_inter_end(&loop, ir_build_value(&loop.b, IR_OP(inter, degree), operands, attributes));
}

/* Lowers gnn.dropout: the operation on payloads knows the row. Edges of a set that the model makes may be new. */
static void lower_dropout(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  ir_type type = ir_type_of(ir_result(op));
  bool may_be_new = type.kind == IR_KIND_edge && ir_base_set(l->p->context, type.set) && !ir_is_run_set(type.set);
  MlirValue operands[IR_MAX_OPERANDS] = {to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, dropout, x))), loop.cursor};
  if (may_be_new) operands[IR_IN(inter, dropout, end)] = to_inter_end_of(&loop.b, loop.cursor, false);
  ir_attr attributes[] = {{"p", ir_get_attr(op, "p")}, {"site", ir_get_attr(op, "site")}, {NULL, {NULL}}};
  to_inter_end(&loop, ir_build_value(&loop.b, IR_OP(inter, dropout), operands, attributes));
}

/* Lowers to the same operation on payloads; for gnn.slice, to the payload itself. */
static void lower_payload(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  if (ir_op_kind(op) == IR_OP(gnn, slice)) {
    to_inter_end(&loop, to_inter_at(&loop.b, ir_result(op), loop.cursor));
    return;
  }
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(op, operands);
  for (unsigned i = 0; i < IR_MAX_OPERANDS; i++) operands[i] = to_inter_payload(&loop, operands[i]);
  to_inter_end(&loop, to_inter_expand(&loop.b, op, operands));
}

static bool has_operand(MlirOperation op, ir_kind kind) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (ir_type_of(mlirOperationGetOperand(op, i)).kind == kind) return true;
  return false;
}

static bool reads_normalized(MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, linear)) return false;
  return !mlirOperationIsNull(gnn_producer(ir_operand(op, IR_IN(gnn, linear, x)), IR_OP(gnn, row_normalize)));
}

/* Whether an operation stays as it is, because bind performs it, or because it is a kernel of its own. */
static bool stays(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return makes_graph(op) || kind == IR_OP(gnn, extend_edges) || kind == IR_OP(gnn, restrict_edges) ||
         kind == IR_OP(gnn, opposite_edges) || kind == IR_OP(gnn, order) || kind == IR_OP(gnn, first) ||
         kind == IR_OP(gnn, place_first) || kind == IR_OP(gnn, quantile) || kind == IR_OP(gnn, top_nodes);
}

static void lower_operation(to_inter *l, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, contract)) {
    to_inter_contract(l, op);
    return;
  }
  if (kind == IR_OP(gnn, sum_by)) {
    to_inter_sum_by(l, op);
    return;
  }
  if (stays(op) || to_inter_sets(l, op)) return;
  if (kind == IR_OP(gnn, fold))
    to_inter_fold(l, op);
  else if (has_operand(op, IR_KIND_sparse))
    to_inter_sparse(l, op);
  else if (kind == IR_OP(gnn, dropout))
    lower_dropout(l, op);
  else if (kind == IR_OP(gnn, aggregate))
    lower_aggregate(l, op);
  else if (kind == IR_OP(gnn, gather))
    lower_gather(l, op);
  else if (kind == IR_OP(gnn, degree))
    lower_degree(l, op);
  else if (reads_normalized(op))
    to_inter_normalized_linear(l, op);
  else
    lower_payload(l, op);
}

/* Whether an operation has no loop of its own, because its users read through it. Normalisation
 * becomes part of products where fusion is wanted. */
static bool is_part_of_users(const to_inter *l, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(gnn, row_normalize)) return l->p->opt_level >= 2 || has_operand(op, IR_KIND_sparse);
  if (kind == IR_OP(gnn, dropout) || kind == IR_OP(gnn, gather)) return has_operand(op, IR_KIND_sparse);
  return kind == IR_OP(gnn, constant) || kind == IR_OP(gnn, slice) || is_sliced_part(op);
}

/* Erases such an operation if it is unused; otherwise its value is needed too, and gets a loop. */
static void finish_operation(to_inter *l, MlirOperation op) {
  if (!ir_value_has_uses(ir_result(op)))
    mlirOperationDestroy(op);
  else if (has_operand(op, IR_KIND_sparse))
    l->ok = inter_refuse(l->p, op, "%s sparse features can be used in linear layers alone",
                         ir_op_kind(op) == IR_OP(gnn, dropout)  ? "dropped"
                         : ir_op_kind(op) == IR_OP(gnn, gather) ? "gathered"
                                                                : "normalised");
  else if (ir_op_kind(op) == IR_OP(gnn, part))
    to_inter_sets(l, op);
  else if (ir_op_kind(op) != IR_OP(gnn, constant))
    lower_payload(l, op);
  else {
    to_inter_loop loop;
    if (to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop))
      to_inter_end(&loop, to_inter_payload(&loop, ir_result(op)));
  }
}

static bool lower_function(MlirOperation func, MlirOperation bind, const map *weight_counts, pass_context *p) {
  to_inter l = {.p = p, .func = func, .body = ir_func_body(func), .weight_counts = weight_counts, .ok = true};
  if (!mlirOperationIsNull(bind) && !mlirOperationEqual(bind, func)) {
    l.bind = bind;
    l.bound = inter_bound_results(p, bind, func);
  }
  collect_graphs(&l);
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, l.body)
    if (gnn_is_graph_level(op)) VEC_PUSH(p->arena, &ops, op);
  VEC(MlirOperation) left = {0};
  for (size_t i = 0; i < ops.count; i++) {
    if (is_part_of_users(&l, ops.items[i]))
      VEC_PUSH(p->arena, &left, ops.items[i]);
    else
      lower_operation(&l, ops.items[i]);
  }
  for (size_t i = left.count; l.ok && i-- > 0;) finish_operation(&l, left.items[i]);
  return l.ok;
}

bool pass_run_to_inter(MlirOperation root, pass_context *p) {
  bool ok = true;
  to_inter_transpose_in_bind(root, p);
  MlirOperation bind = inter_find_phase(root, "bind");
  map weight_counts = count_weights(root, p);
  IR_FOR_EACH_FUNC(func, root) ok = lower_function(func, bind, &weight_counts, p) && ok;
  return ok;
}
