/* intra-distribute: ranks exchange the rows of ghosts before kernels read them.
 *
 *   traverse nodes { for_incoming { load %z at src } }   =>   intra.exchange %z; traverse nodes { ... }
 *
 * A rank has its own nodes and all edges into them. Sources of these edges that other ranks own are ghosts: they have
 * places behind the own rows of every buffer of nodes. Kernels compute own rows, so a row is read where it was not
 * computed only at the source of an edge. Each row is the same sum, in the same order, as in one process, so results
 * have the same bits for any number of ranks.
 *
 * The pass works behind fusion, because fusion decides which values are stored. Values are exchanged as they are
 * stored, once after each time they are written; those that a kernel needs together go in one message. Inputs come with rows of ghosts. What bind keeps and run reads at
 * sources is exchanged at the end of bind. */
#include "passes/intra/intra_distribute.h"

#include "passes/inter/inter_loops.h"
#include "support/map.h"

#include <string.h>

typedef struct distribution {
  pass_context *p;
  map fresh;        /* buffers with rows of ghosts */
  map *bound_reads; /* names of buffers that bind keeps for run, which reads them at sources */
  bool is_run;
  MlirOperation kernel;
  VEC(MlirValue) stale; /* of the kernel: buffers to exchange before it */
} distribution;

static bool is_per_node(MlirValue buffer) {
  return !strncmp(ir_type_of(buffer).set, "node:", strlen("node:"));
}

/* ---- what a kernel reads and writes ---- */

static void read_at_source(distribution *d, MlirValue buffer) {
  MlirOperation made = ir_defining_op(buffer);
  if (!is_per_node(buffer) || ir_string_is(made, "space", "input") || map_get(&d->fresh, buffer.ptr, 0)) return;
  if (d->is_run && ir_string_is(made, "space", "bound")) {
    map_set(d->bound_reads, ir_get_string(made, "name", ""), 1);
    return;
  }
  map_set(&d->fresh, buffer.ptr, 1);
  VEC_PUSH(d->p->arena, &d->stale, buffer);
}

static void note_read(MlirOperation op, void *user) {
  distribution *d = user;
  if (ir_op_kind(op) != IR_OP(intra, load)) return;
  if (intra_is_at_source(ir_operand(op, IR_IN(intra, load, cursor))))
    read_at_source(d, ir_operand(op, IR_IN(intra, load, buffer)));
}

enum { VALUE = IR_IN(intra, first, value) };
_Static_assert(IR_IN(intra, first, value) == IR_IN(intra, quantile, value), "both have it at one place");

/* The operand that a kernel without a loop reads at sources; a null value: none. Edges carry rows of their other end. */
static MlirValue operand_at_source(MlirOperation kernel) {
  switch (ir_op_kind(kernel)) {
  case IR_OP(intra, gemm):
    return ir_string_is(kernel, "gather", "src") ? ir_operand(kernel, IR_IN(intra, gemm, a)) : (MlirValue){NULL};
  case IR_OP(intra, first):
  case IR_OP(intra, quantile):
    return ir_string_is(kernel, "over", "in") ? mlirOperationGetOperand(kernel, VALUE) : (MlirValue){NULL};
  default: return (MlirValue){NULL};
  }
}

static void note_write(MlirOperation op, void *user) {
  distribution *d = user;
  ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(intra, store)) map_set(&d->fresh, ir_operand(op, IR_IN(intra, store, buffer)).ptr, 0);
  if (kind == IR_OP(intra, copy)) map_set(&d->fresh, ir_operand(op, IR_IN(intra, copy, to)).ptr, 0);
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

static void exchange_together(distribution *d, MlirOperation before, const MlirValue *buffers, size_t count,
                              bool overlaps) {
  MlirValue operands[IR_MAX_OPERANDS] = {{NULL}};
  for (size_t i = 0; i < count; i++) {
    operands[i] = buffers[i];
    pass_remark(d->p, before, "ghosts get %lld numbers of '%s'", (long long)ir_type_elements(ir_type_of(buffers[i])),
                ir_get_string(ir_defining_op(buffers[i]), "name", ""));
  }
  ir_builder b = ir_builder_before(before);
  ir_build(&b, IR_OP(intra, exchange), operands,
           (ir_attr[]){{"overlaps", ir_attr_bool(d->p->context, overlaps)}, {NULL, {NULL}}}, (MlirRegion){NULL},
           (MlirType){NULL});
  d->p->changed++;
}

/* Inserts exchanges of all buffers; the last one may overlap the kernel behind it. */
static void exchange(distribution *d, MlirOperation before, const MlirValue *buffers, size_t count, bool overlaps) {
  for (size_t i = 0; i < count; i += TOGETHER) {
    size_t together = count - i < TOGETHER ? count - i : TOGETHER;
    exchange_together(d, before, buffers + i, together, overlaps && i + together == count);
  }
}

static void distribute_kernel(distribution *d, MlirOperation kernel) {
  d->kernel = kernel;
  d->stale.count = 0;
  MlirValue gathered = operand_at_source(kernel);
  if (!ir_value_is_null(gathered)) read_at_source(d, gathered);
  walk_kernel(d, note_read);
  exchange(d, kernel, d->stale.items, d->stale.count, is_over_nodes(kernel));
  walk_kernel(d, note_write);
}

/* Exchanges what run reads at sources, at the end of bind. */
static void exchange_bound(distribution *d, MlirBlock body) {
  d->stale.count = 0;
  IR_FOR_EACH_OP(op, body) {
    bool is_bound = ir_op_kind(op) == IR_OP(intra, buffer) && ir_string_is(op, "space", "bound");
    if (!is_bound || !map_get(d->bound_reads, ir_get_string(op, "name", ""), 0)) continue;
    if (!map_get(&d->fresh, ir_result(op).ptr, 0)) VEC_PUSH(d->p->arena, &d->stale, ir_result(op));
  }
  exchange(d, ir_block_terminator(body), d->stale.items, d->stale.count, false);
}

static bool distribute(MlirOperation module, pass_context *p, const char *phase, map *bound_reads, bool *reads_graphs) {
  MlirOperation func = inter_find_phase(module, phase);
  if (mlirOperationIsNull(func)) return true;
  distribution d = {.p = p, .fresh = {.arena = p->arena}, .bound_reads = bound_reads, .is_run = !strcmp(phase, "run")};
  MlirBlock body = ir_func_body(func);
  if (!intra_check_ranks(p, body, reads_graphs)) return false;
  IR_FOR_EACH_OP_SAFE(op, body) {
    ir_op kind = ir_op_kind(op);
    if (kind != IR_OP(intra, buffer) && kind != IR_OP(intra, graph) && kind != IR_OP(intra, call))
      distribute_kernel(&d, op);
  }
  if (!d.is_run) exchange_bound(&d, body);
  return true;
}

bool pass_run_distribute(MlirOperation root, pass_context *p) {
  map bound_reads = {.arena = p->arena, .of_strings = true};
  bool reads_graphs = false;
  if (!distribute(root, p, "run", &bound_reads, &reads_graphs) ||
      !distribute(root, p, "bind", &bound_reads, &reads_graphs))
    return false;
  ir_set_attr(root, "gnn.ranks", ir_attr_bool(p->context, true));
  if (reads_graphs) ir_set_attr(root, "gnn.whole_graphs", ir_attr_bool(p->context, true));
  return true;
}
