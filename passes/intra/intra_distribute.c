/* intra-distribute: ranks exchange the rows of ghosts before kernels read them.
 *
 *   traverse nodes { for_incoming { load %z at src } }   =>   intra.exchange %z; traverse nodes { ... }
 *
 * A rank has its own nodes and all edges into them. Sources of these edges that other ranks own are ghosts: they have
 * places behind the own rows of every buffer of nodes. Kernels compute own rows, so a row is read where it was not
 * computed only at an end of an edge. Each row is the same sum, in the same order, as in one process, so results
 * have the same bits for any number of ranks.
 *
 * Where a program reads edges out of nodes, as derivatives do, a rank has these, too, and the ghosts to which they lead. Kernels over
 * all edges compute the values of an edge between ranks on both. A value that is computed edge by edge in a loop over the edges into a
 * node, or that depends on all of these, is not there for an edge into a ghost: the owner of the ghost sends it (intra.exchange_edges)
 * before a kernel reads it for edges out of nodes.
 *
 * Sums over all nodes are made by cells (pieces of the nodes): each rank adds up its cells, and intra.share gives all ranks the sums of
 * all.
 *
 * The pass works behind fusion, because fusion decides which values are stored. Values are exchanged as they are
 * stored, once after each time they are written; those that a kernel needs together go in one message. Inputs come with
 * rows of ghosts. What bind keeps and run reads at ghosts is exchanged at the end of bind. Weights with a row for each node are exchanged
 * in each phase of a training before it reads them at ghosts: the step before has changed them, each row on the rank that owns it. */
#include "passes/intra/intra_distribute.h"

#include "passes/inter/inter_loops.h"
#include "support/map.h"

#include <string.h>

/* Values of edges that a rank does not have of all its edges. */
enum { WITHOUT_NONE = 0, WITHOUT_OUT = 1, WITHOUT_IN = 2 };

/* What ranks have: rows of own nodes and ghosts, or columns of all nodes; a kernel may be for one of them. */
enum { IN_ROWS = 1, IN_COLUMNS = 2, IN_BOTH = IN_ROWS | IN_COLUMNS };

/* A buffer to exchange, or to share, where ranks have this. */
typedef struct stale_buffer {
  MlirValue buffer;
  int64_t modes;
} stale_buffer;

typedef VEC(stale_buffer) stale_list;

typedef struct distribution {
  pass_context *p;
  const intra_rank_needs *needs;
  map fresh;        /* buffers -> where they have rows of ghosts, or of all pieces */
  map partial;      /* buffers of edges -> what they lack */
  map *bound_reads; /* names of buffers that bind keeps for other phases, which read them at ghosts or of all pieces */
  map *bound_edges; /* names of those of edges -> what they must not lack */
  bool is_bind;
  MlirOperation kernel;
  int64_t modes; /* of the kernel */
  int64_t lacks; /* of the kernel: what the edge values that it reads lack */
  bool is_good;
  bool reads_inputs; /* of ghosts, where ranks have columns */
  stale_list stale;  /* of the kernel */
} distribution;

static int64_t modes_of(MlirOperation kernel) {
  const char *mode = ir_get_string(kernel, "mode", "");
  return !strcmp(mode, "rows") ? IN_ROWS : !strcmp(mode, "columns") ? IN_COLUMNS : IN_BOTH;
}

/* Whether a kernel computes strips of columns of all nodes, or a buffer has them. */
static bool has_strips(MlirOperation op) {
  return ir_get_integer(op, "strips", 0) > 0;
}

static bool is_per(MlirValue buffer, const char *rows) {
  const char *set = ir_type_of(buffer).set;
  return !strncmp(set, rows, strlen(rows)) && (!set[strlen(rows)] || set[strlen(rows)] == ':');
}

static bool is_at(MlirValue cursor, const char *kind) {
  return !mlirValueIsNull(cursor) && !strcmp(ir_type_of(cursor).detail, kind);
}

/* ---- what a kernel reads and writes ---- */

static void need_fresh(distribution *d, MlirValue buffer) {
  MlirOperation made = ir_defining_op(buffer);
  const int64_t fresh = map_get(&d->fresh, buffer.ptr, 0), missing = d->modes & ~fresh;
  if (ir_string_is(made, "space", "input")) {
    d->reads_inputs |= (d->modes & IN_COLUMNS) != 0;
    return;
  }
  if (!missing) return;
  if (!d->is_bind && ir_string_is(made, "space", "bound")) {
    map_set(d->bound_reads, ir_get_string(made, "name", ""), 1);
    return;
  }
  map_set(&d->fresh, buffer.ptr, fresh | missing);
  VEC_PUSH(d->p->arena, &d->stale, (stale_buffer){buffer, missing});
}

/* Strips are of all nodes. */
static void read_at_ghost(distribution *d, MlirValue buffer) {
  if (is_per(buffer, "node") && !has_strips(ir_defining_op(buffer))) need_fresh(d, buffer);
}

/* Notes for which edges other phases read what bind keeps. */
static void need_of_bind(distribution *d, const char *name, intra_edges edges) {
  static const int64_t needs[] = {
      [INTRA_EDGES_in] = WITHOUT_IN, [INTRA_EDGES_out] = WITHOUT_OUT, [INTRA_EDGES_all] = WITHOUT_IN | WITHOUT_OUT};
  const int64_t all = d->needs->out_edges ? needs[edges] : needs[edges] & ~(int64_t)WITHOUT_OUT;
  map_set(d->bound_edges, name, map_get(d->bound_edges, name, WITHOUT_NONE) | all);
}

/* Whether ranks can send one another what a buffer lacks: of edges of the caller's graph, into nodes. */
static bool can_exchange_edges(MlirValue buffer, int64_t lacks) {
  return lacks == WITHOUT_OUT && !strchr(ir_type_of(buffer).set, '.');
}

/* A value of edges that is read at an edge into or out of a node, or at all edges. */
static void read_at_edge(distribution *d, MlirOperation op, MlirValue buffer, intra_edges edges) {
  MlirOperation made = ir_defining_op(buffer);
  const int64_t lacks = map_get(&d->partial, buffer.ptr, WITHOUT_NONE);
  if (edges == INTRA_EDGES_all) d->lacks |= lacks;
  if (ir_string_is(made, "space", "bound") && !d->is_bind) need_of_bind(d, ir_get_string(made, "name", ""), edges);
  if (edges == INTRA_EDGES_out && can_exchange_edges(buffer, lacks)) {
    map_set(&d->partial, buffer.ptr, WITHOUT_NONE);
    VEC_PUSH(d->p->arena, &d->stale, (stale_buffer){buffer, d->modes});
    return;
  }
  const bool is_lacking =
      edges == INTRA_EDGES_in ? lacks & WITHOUT_IN : edges == INTRA_EDGES_out && lacks & WITHOUT_OUT;
  if (is_lacking && d->is_good)
    d->is_good = inter_refuse(
        d->p, op, "--ranks: a rank has '%s' only for edges %s its nodes, and this reads it for edges %s them",
        ir_get_string(made, "name", ""), edges == INTRA_EDGES_in ? "out of" : "into",
        edges == INTRA_EDGES_in ? "into" : "out of");
}

/* Numbers of edges into a node, and sums over them, which a kernel over all edges has wrong at ghosts. */
static void read_of_edges(distribution *d, MlirOperation op) {
  MlirValue pair = {NULL};
  if (!d->needs->out_edges) return;
  if (ir_op_kind(op) == IR_OP(inter, degree) && intra_lacks_edges_of(ir_operand(op, IR_IN(inter, degree, node))))
    d->lacks |= WITHOUT_OUT;
  if (ir_op_kind(op) == IR_OP(inter, group_size)) pair = ir_operand(op, IR_IN(inter, group_size, pair));
  if (ir_op_kind(op) == IR_OP(inter, for_members)) pair = ir_operand(op, IR_IN(inter, for_members, of));
  if (is_at(pair, "edge") && intra_edges_of(pair) == INTRA_EDGES_all) d->lacks |= WITHOUT_OUT;
}

static void note_read(MlirOperation op, void *user) {
  distribution *d = user;
  if (ir_op_kind(op) == IR_OP(intra, combine)) need_fresh(d, ir_operand(op, IR_IN(intra, combine, buffer)));
  read_of_edges(d, op);
  if (ir_op_kind(op) != IR_OP(intra, load)) return;
  MlirValue cursor = ir_operand(op, IR_IN(intra, load, cursor)), buffer = ir_operand(op, IR_IN(intra, load, buffer));
  if (has_strips(d->kernel) || intra_is_at_ghost(cursor, d->needs)) read_at_ghost(d, buffer);
  if (is_at(cursor, "edge")) read_at_edge(d, op, buffer, intra_edges_of(cursor));
}

enum { VALUE = IR_IN(intra, first, value) };
_Static_assert(IR_IN(intra, first, value) == IR_IN(intra, quantile, value), "both have it at one place");

/* The operand that a kernel without a loop reads at ghosts; a null value: none. Edges carry rows of their other end. */
static MlirValue operand_at_ghost(const distribution *d, MlirOperation kernel) {
  switch (ir_op_kind(kernel)) {
  case IR_OP(intra, gemm):
    if (ir_string_is(kernel, "gather", "src") ||
        (intra_has_ghosts_at_destinations(d->needs) && ir_string_is(kernel, "gather", "dst")))
      return ir_operand(kernel, IR_IN(intra, gemm, a));
    return (MlirValue){NULL};
  case IR_OP(intra, first):
  case IR_OP(intra, quantile):
    return ir_string_is(kernel, "over", "in") ? mlirOperationGetOperand(kernel, VALUE) : (MlirValue){NULL};
  default: return (MlirValue){NULL};
  }
}

/* What is known of the values of edges that an operation writes. */
static void write_edges(distribution *d, MlirOperation op, MlirValue buffer, int64_t lacks) {
  const char *name = ir_get_string(ir_defining_op(buffer), "name", "");
  map_set(&d->partial, buffer.ptr, lacks);
  if (d->is_bind && d->is_good && lacks & map_get(d->bound_edges, name, WITHOUT_NONE) &&
      !can_exchange_edges(buffer, lacks) && ir_string_is(ir_defining_op(buffer), "space", "bound"))
    d->is_good = inter_refuse(d->p, op,
                              "--ranks: a rank has '%s' only for edges %s its nodes, and the model reads it for others",
                              name, lacks & WITHOUT_OUT ? "into" : "out of");
}

static void note_write(MlirOperation op, void *user) {
  distribution *d = user;
  static const int64_t lacks[] = {
      [INTRA_EDGES_in] = WITHOUT_OUT, [INTRA_EDGES_out] = WITHOUT_IN, [INTRA_EDGES_all] = WITHOUT_NONE};
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(intra, copy)) map_set(&d->fresh, ir_operand(op, IR_IN(intra, copy, to)).ptr, 0);
  if (kind != IR_OP(intra, store)) return;
  MlirValue buffer = ir_operand(op, IR_IN(intra, store, buffer)), cursor = ir_operand(op, IR_IN(intra, store, cursor));
  map_set(&d->fresh, buffer.ptr, 0);
  if (is_at(cursor, "edge"))
    write_edges(d, op, buffer, lacks[intra_edges_of(cursor)] | d->lacks);
  else if (d->lacks && d->is_good)
    d->is_good =
        inter_refuse(d->p, op, "--ranks: a rank has no edges of nodes of other ranks, and this reads their values");
}

/* A sum over edges is over those into own nodes. */
static void read_of_contract(distribution *d, MlirOperation op) {
  static const struct {
    const char *gather;
    int operand;
  } sides[] = {{"gather_a", IR_IN(intra, contract, a)}, {"gather_b", IR_IN(intra, contract, b)}};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    MlirValue buffer = ir_operand(op, sides[i].operand);
    if (ir_value_is_null(buffer)) continue;
    if (ir_string_is(op, sides[i].gather, "src")) read_at_ghost(d, buffer);
    if (is_per(buffer, "edge")) read_at_edge(d, op, buffer, INTRA_EDGES_in);
  }
}

enum { PLACES = IR_IN(intra, order, to) };
_Static_assert(IR_IN(intra, order, to) == IR_IN(intra, place_first, to), "both have it at one place");

/* Rows of edges that a kernel reads as an operand. */
static void read_operand_at_edge(distribution *d, MlirOperation op) {
  const ir_op kind = ir_op_kind(op);
  const bool is_gemm = kind == IR_OP(intra, gemm);
  const bool is_of_groups =
      kind == IR_OP(intra, order) || kind == IR_OP(intra, first) || kind == IR_OP(intra, quantile);
  if (!is_gemm && !is_of_groups) return;
  MlirValue buffer = mlirOperationGetOperand(op, is_gemm ? IR_IN(intra, gemm, a) : VALUE);
  if (is_per(buffer, "edge")) read_at_edge(d, op, buffer, is_gemm ? INTRA_EDGES_all : INTRA_EDGES_in);
}

/* A kernel without a loop gives what its operands lack to all of them. Places in a group, and rows at them, are written for the edges
 * into own nodes alone. */
static void note_operands(distribution *d) {
  int64_t lacks = WITHOUT_NONE;
  const ir_op kind = ir_op_kind(d->kernel);
  if (!mlirBlockIsNull(ir_region_block(d->kernel))) return;
  if ((kind == IR_OP(intra, order) || kind == IR_OP(intra, place_first)) && ir_string_is(d->kernel, "over", "in")) {
    write_edges(d, d->kernel, mlirOperationGetOperand(d->kernel, PLACES), WITHOUT_OUT);
    return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(d->kernel); i++) {
    MlirValue buffer = mlirOperationGetOperand(d->kernel, i);
    lacks |= map_get(&d->partial, buffer.ptr, WITHOUT_NONE);
    if (!d->is_bind && is_per(buffer, "edge") && ir_string_is(ir_defining_op(buffer), "space", "bound"))
      need_of_bind(d, ir_get_string(ir_defining_op(buffer), "name", ""), INTRA_EDGES_all);
  }
  for (intptr_t i = 0; lacks && i < mlirOperationGetNumOperands(d->kernel); i++)
    if (is_per(mlirOperationGetOperand(d->kernel, i), "edge"))
      write_edges(d, d->kernel, mlirOperationGetOperand(d->kernel, i), lacks);
}

static void walk_kernel(distribution *d, inter_visitor visit) {
  visit(d->kernel, d);
  MlirBlock body = ir_region_block(d->kernel);
  if (!mlirBlockIsNull(body)) inter_walk(body, visit, d);
}

/* ---- exchanges ---- */

/* Whether a kernel computes nodes one by one, in the order of their numbers: those without edges from ghosts can come
 * first. A product by a matrix per type of nodes goes through the types. */
static bool is_over_nodes(MlirOperation kernel) {
  if (ir_op_kind(kernel) == IR_OP(intra, gemm) &&
      strcmp(ir_type_of(ir_operand(kernel, IR_IN(intra, gemm, b))).set, "one") != 0)
    return false;
  MlirBlock body = ir_region_block(kernel);
  if (mlirBlockIsNull(body) || !mlirBlockGetNumArguments(body)) return false;
  ir_type cursor = ir_type_of(mlirBlockGetArgument(body, 0));
  return !strcmp(cursor.detail, "node") && ir_part_type(cursor.set) < 0;
}

/* Buffers of one message. */
enum { TOGETHER = IR_IN(intra, exchange, COUNT) };

static void exchange_together(distribution *d, MlirOperation before, const stale_buffer *buffers, size_t count,
                              bool overlaps) {
  static const char *const modes[] = {[IN_ROWS] = "rows", [IN_COLUMNS] = "columns"};
  static const char *const where[] = {
      [IN_ROWS] = " where ranks have rows", [IN_COLUMNS] = " where ranks have columns", [IN_BOTH] = ""};
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  const int64_t mode = buffers[0].modes;
  for (size_t i = 0; i < count; i++) {
    operands[i] = buffers[i].buffer;
    pass_remark(d->p, before, "ghosts get %lld numbers of '%s'%s", (long long)ir_type_elements(ir_type_of(operands[i])),
                ir_get_string(ir_defining_op(operands[i]), "name", ""), where[mode]);
  }
  MlirAttribute only = mode == IN_BOTH ? (MlirAttribute){NULL} : ir_attr_string(d->p->context, modes[mode]);
  ir_builder b = ir_builder_before(before);
  ir_build(&b, IR_OP(intra, exchange), operands,
           (ir_attr[]){{"overlaps", ir_attr_bool(d->p->context, overlaps)}, {"mode", only}, {NULL, {NULL}}},
           (MlirRegion){NULL}, (MlirType){NULL});
  d->p->changed++;
}

static void share(distribution *d, MlirOperation before, MlirValue buffer) {
  pass_remark(d->p, before, "all ranks get %lld numbers of '%s' per cell",
              (long long)ir_type_elements(ir_type_of(buffer)), ir_get_string(ir_defining_op(buffer), "name", ""));
  MlirValue operands[IR_MAX_OPERANDS] = {[IR_IN(intra, share, buffer)] = buffer};
  ir_builder b = ir_builder_before(before);
  ir_build(&b, IR_OP(intra, share), operands, (ir_attr[]){{NULL, {NULL}}}, (MlirRegion){NULL}, (MlirType){NULL});
  d->p->changed++;
}

static void exchange_edges(distribution *d, MlirOperation before, MlirValue buffer) {
  pass_remark(d->p, before, "edges into ghosts get %lld numbers of '%s'",
              (long long)ir_type_elements(ir_type_of(buffer)), ir_get_string(ir_defining_op(buffer), "name", ""));
  MlirValue operands[IR_MAX_OPERANDS] = {[IR_IN(intra, exchange_edges, buffer)] = buffer};
  ir_builder b = ir_builder_before(before);
  ir_build(&b, IR_OP(intra, exchange_edges), operands, (ir_attr[]){{NULL, {NULL}}}, (MlirRegion){NULL},
           (MlirType){NULL});
  d->p->changed++;
}

/* Inserts exchanges of the rows of ghosts that are stale where ranks have this; the last one may overlap the kernel behind it. */
static void exchange_ghosts(distribution *d, MlirOperation before, int64_t modes, bool overlaps) {
  stale_list ghosts = {0};
  for (size_t i = 0; i < d->stale.count; i++)
    if (is_per(d->stale.items[i].buffer, "node") && d->stale.items[i].modes == modes)
      VEC_PUSH(d->p->arena, &ghosts, d->stale.items[i]);
  for (size_t i = 0; i < ghosts.count; i += TOGETHER) {
    size_t together = ghosts.count - i < TOGETHER ? ghosts.count - i : TOGETHER;
    exchange_together(d, before, ghosts.items + i, together, overlaps && i + together == ghosts.count);
  }
}

/* Inserts exchanges of all stale buffers. The last one of rows of ghosts stands directly before the kernel, so that it may overlap it. */
static void exchange(distribution *d, MlirOperation before, int64_t modes, bool overlaps) {
  for (size_t i = 0; i < d->stale.count; i++) {
    if (is_per(d->stale.items[i].buffer, "piece")) share(d, before, d->stale.items[i].buffer);
    if (is_per(d->stale.items[i].buffer, "edge")) exchange_edges(d, before, d->stale.items[i].buffer);
  }
  for (int64_t other = IN_ROWS; other <= IN_BOTH; other++)
    if (other != modes) exchange_ghosts(d, before, other, false);
  exchange_ghosts(d, before, modes, overlaps);
}

static void distribute_kernel(distribution *d, MlirOperation kernel) {
  d->kernel = kernel;
  d->modes = modes_of(kernel);
  d->stale.count = 0;
  d->lacks = WITHOUT_NONE;
  MlirValue gathered = operand_at_ghost(d, kernel);
  if (!ir_value_is_null(gathered)) read_at_ghost(d, gathered);
  if (ir_op_kind(kernel) == IR_OP(intra, contract)) read_of_contract(d, kernel);
  read_operand_at_edge(d, kernel);
  walk_kernel(d, note_read);
  exchange(d, kernel, d->modes, is_over_nodes(kernel) && !has_strips(kernel));
  walk_kernel(d, note_write);
  note_operands(d);
}

/* Whether other phases read rows that a buffer of bind does not have yet. */
static bool is_stale_in_bind(const distribution *d, MlirOperation buffer) {
  const char *name = ir_get_string(buffer, "name", "");
  MlirValue value = ir_result(buffer);
  if (map_get(&d->partial, value.ptr, WITHOUT_NONE) & map_get(d->bound_edges, name, WITHOUT_NONE)) return true;
  return map_get(d->bound_reads, name, 0) && map_get(&d->fresh, value.ptr, 0) != IN_BOTH;
}

/* Exchanges what other phases read at ghosts, or at edges into them, at the end of bind. */
static void exchange_bound(distribution *d, MlirBlock body) {
  d->stale.count = 0;
  IR_FOR_EACH_OP(op, body) {
    bool is_bound = ir_op_kind(op) == IR_OP(intra, buffer) && ir_string_is(op, "space", "bound");
    if (is_bound && is_stale_in_bind(d, op)) VEC_PUSH(d->p->arena, &d->stale, (stale_buffer){ir_result(op), IN_BOTH});
  }
  exchange(d, ir_block_terminator(body), IN_BOTH, false);
}

/* What is known from the phases before. */
typedef struct bound_values {
  map reads, edges;
  bool reads_inputs; /* of ghosts, where ranks have columns */
} bound_values;

static bool distribute(pass_context *p, MlirOperation func, const intra_rank_needs *needs, bound_values *bound,
                       bool is_bind) {
  distribution d = {.p = p,
                    .needs = needs,
                    .bound_reads = &bound->reads,
                    .bound_edges = &bound->edges,
                    .is_bind = is_bind,
                    .is_good = true};
  d.fresh.arena = d.partial.arena = p->arena;
  MlirBlock body = ir_func_body(func);
  if (!intra_check_ranks(p, body, needs)) return false;
  IR_FOR_EACH_OP(op, body)
    if (is_bind && ir_op_kind(op) == IR_OP(intra, contract) && !intra_is_sum_over_types(op))
      return inter_refuse(p, op,
                          "--ranks: a rank has no sums over all nodes in bind, and this depends on the graph alone");
  IR_FOR_EACH_OP_SAFE(op, body) {
    ir_op kind = ir_op_kind(op);
    if (kind != IR_OP(intra, buffer) && kind != IR_OP(intra, graph) && kind != IR_OP(intra, call))
      distribute_kernel(&d, op);
  }
  if (is_bind && d.is_good) exchange_bound(&d, body);
  bound->reads_inputs |= d.reads_inputs;
  return d.is_good;
}

/* The last call of bind, behind which others may stand; *has_csc: one groups the edges of a set by destination. */
static MlirOperation find_last_call(MlirOperation bind, const char *set, bool *has_csc) {
  MlirOperation last = {NULL};
  *has_csc = false;
  IR_FOR_EACH_OP(op, ir_func_body(bind)) {
    if (ir_op_kind(op) != IR_OP(intra, call)) continue;
    last = op;
    *has_csc |=
        ir_string_is(op, "callee", "adjacency") && ir_string_is(op, "set", set) && ir_string_is(op, "form", "csc");
  }
  return last;
}

/* Sums over edges go through the edges into the nodes of each cell. */
static void group_edges_of_sums(pass_context *p, MlirOperation func, MlirOperation bind) {
  IR_FOR_EACH_OP(op, ir_func_body(func)) {
    const char *set = ir_op_kind(op) == IR_OP(intra, contract) ? intra_edges_of_sum(op) : NULL;
    bool has_csc = false;
    if (!set) continue;
    MlirOperation last = find_last_call(bind, set, &has_csc);
    if (has_csc) continue;
    ir_builder b =
        ir_builder_before(mlirOperationIsNull(last) ? ir_block_terminator(ir_func_body(bind)) : ir_op_next(last));
    ir_attr attributes[] = {{"callee", ir_attr_string(p->context, "adjacency")},
                            {"form", ir_attr_string(p->context, "csc")},
                            {"set", ir_attr_string(p->context, set)},
                            {"used_by", ir_attr_string(p->context, "run")},
                            {NULL, {NULL}}};
    ir_build(&b, IR_OP(intra, call), NULL, attributes, (MlirRegion){NULL}, (MlirType){NULL});
  }
}

bool pass_run_distribute(MlirOperation root, pass_context *p) {
  static const char *const phases[] = {"run", "gradients", "evaluate",
                                       "bind"}; /* bind after those that read what it keeps */
  enum { PHASES = sizeof phases / sizeof *phases };
  MlirOperation functions[PHASES];
  intra_rank_needs needs = {.is_training = ir_get_bool(root, "gnn.training")};
  bound_values bound = {.reads = {.arena = p->arena, .of_strings = true},
                        .edges = {.arena = p->arena, .of_strings = true}};
  for (size_t i = 0; i < PHASES; i++) {
    functions[i] = inter_find_phase(root, phases[i]);
    if (!mlirOperationIsNull(functions[i])) intra_find_rank_needs(ir_func_body(functions[i]), &needs);
  }
  for (size_t i = 0; i < PHASES; i++) {
    const bool is_bind = i == PHASES - 1;
    needs.all_edges = is_bind && ir_get_bool(root, "gnn.columns");
    if (!mlirOperationIsNull(functions[i]) && !distribute(p, functions[i], &needs, &bound, is_bind)) return false;
  }
  MlirOperation bind = functions[PHASES - 1];
  for (size_t i = 0; i + 1 < PHASES && !mlirOperationIsNull(bind); i++)
    if (!mlirOperationIsNull(functions[i])) group_edges_of_sums(p, functions[i], bind);
  ir_set_attr(root, "gnn.ranks", ir_attr_bool(p->context, true));
  if (bound.reads_inputs && ir_get_bool(root, "gnn.columns"))
    ir_set_attr(root, "gnn.ghost_inputs", ir_attr_bool(p->context, true));
  if (needs.whole_graphs) ir_set_attr(root, "gnn.whole_graphs", ir_attr_bool(p->context, true));
  if (needs.out_edges) ir_set_attr(root, "gnn.out_edges", ir_attr_bool(p->context, true));
  if (needs.cells) ir_set_attr(root, "gnn.cells", ir_attr_bool(p->context, true));
  return true;
}
