/* Counts the work of the kernels of the intra level.
 *
 *   gemm over U_src, A [64] gathered, B [104, 64, 64], stores z      products 8192 U_src; read 260 U_src + 16384 |T|; written 256 U_src
 *   traverse over |V| with for_incoming { exp; sum }                 others 2 |E|
 *
 * An operation costs what gnn_cost.def says, as often as the loops around it run: a loop over the
 * nodes runs |V| times, and the loops over incoming edges in it |E| times altogether. As the table
 * says, two things cost nothing: adding to a sum of products (a bias or an addend, with which the
 * sum begins), and subtracting the maximum over the edges at a node. */
#include "passes/intra/intra_counts.h"

#include "passes/cost/gnn_cost_work.h"
#include "support/map.h"

#include <string.h>

enum { INDEX_BYTES = 4, POINTER_BYTES = 8, MAX_TRACE = 8 };

typedef struct counter {
  arena *arena;
  bool is_f64;
  intra_counts *out;
  map stored;           /* from a buffer to a value that is stored to it */
  map sums;             /* values of the current kernel that are products, or sums that began with one */
  map seen;             /* buffers that the current kernel has read once for all rows */
  intra_kernel *kernel; /* the current kernel */
} counter;

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static void add(const counter *c, intra_sum *sum, const char *rows, int64_t factor) {
  if (factor == 0) return;
  for (size_t i = 0; i < sum->count; i++)
    if (!strcmp(sum->items[i].rows, rows)) {
      sum->items[i].factor += factor;
      return;
    }
  VEC_PUSH(c->arena, sum, (intra_term){rows, factor});
}

static void know_types(const counter *c, const char *rows, int64_t count) {
  if (count < 0 || strchr(rows, ':') || !strcmp(rows, "one") || !strcmp(rows, "graph")) return;
  for (size_t i = 0; i < c->out->types.count; i++)
    if (!strcmp(c->out->types.items[i].rows, rows)) return;
  VEC_PUSH(c->arena, &c->out->types, (intra_count){rows, count});
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Bytes of one row; numbers of the caller are f32 or i32, integers always are i32. */
static int64_t row_bytes(const counter *c, MlirValue buffer) {
  if (ir_buffer_is_bf16(buffer)) return ir_type_elements(ir_type_of(buffer)) * (int64_t)sizeof(uint16_t);
  const char *space = ir_get_string(ir_defining_op(buffer), "space", "");
  bool is_ours = !strcmp(space, "bound") || !strcmp(space, "workspace");
  bool is_double = is_ours && c->is_f64 && !ir_type_of(buffer).is_integer;
  return ir_type_elements(ir_type_of(buffer)) * (int64_t)(is_double ? sizeof(double) : sizeof(float));
}

/* The rows of a buffer; those of sparse inputs are the stored entries of a field. */
static const char *rows_of(const counter *c, MlirValue buffer) {
  MlirOperation op = ir_defining_op(buffer);
  const char *rows = ir_type_of(buffer).set;
  if (strncmp(rows, "nonzero:", 8) == 0) return arena_printf(c->arena, "nonzero:%s", ir_get_string(op, "from", "x"));
  know_types(c, rows, ir_get_integer(op, "count", -1));
  return rows;
}

/* Whether a buffer has so few rows that they stay in the cache: they are read once. */
static bool is_small(const char *rows) {
  return !strchr(rows, ':') && strcmp(rows, "graph") != 0;
}

static void read_buffer(counter *c, MlirValue buffer, const char *trips) {
  const char *rows = rows_of(c, buffer);
  /* a stored entry has a number and a column; a whole row is all of its entries */
  if (!strncmp(rows, "nonzero:", 8)) {
    add(c, &c->kernel->read, rows, (int64_t)sizeof(float) + INDEX_BYTES);
  } else if (!is_small(rows)) {
    add(c, &c->kernel->read, trips, row_bytes(c, buffer));
  } else if (!map_get_pointer(&c->seen, buffer.ptr)) {
    map_set_pointer(&c->seen, buffer.ptr, buffer.ptr);
    add(c, &c->kernel->read, rows, row_bytes(c, buffer));
  }
}

static void write_buffer(counter *c, MlirValue buffer, const char *trips) {
  if (!c->kernel->name) c->kernel->name = ir_get_string(ir_defining_op(buffer), "name", "");
  add(c, &c->kernel->written, trips, row_bytes(c, buffer));
}

/* ---- what costs nothing ------------------------------------------------------------------------------------------ */

/* Notes a product, or a sum that begins with one. */
static void start_sum(counter *c, MlirValue value) {
  map_set_pointer(&c->sums, value.ptr, value.ptr);
}

static bool is_product_sum(const counter *c, MlirValue value) {
  return map_get_pointer(&c->sums, value.ptr);
}

/* Whether an operation adds to a product; its sum then begins with a product too. */
static bool extends_product(counter *c, MlirOperation op) {
  if (!is_product_sum(c, mlirOperationGetOperand(op, 0)) && !is_product_sum(c, mlirOperationGetOperand(op, 1)))
    return false;
  start_sum(c, ir_result(op));
  return true;
}

static bool is_max_loop(MlirOperation result) {
  MlirOperation loop = ir_defining_op(mlirOperationGetOperand(result, 0));
  if (ir_op_kind(loop) != IR_OP(inter, for_incoming) && ir_op_kind(loop) != IR_OP(inter, for_outgoing)) return false;
  const char *reduce = ir_get_string_at(loop, "reduce", (size_t)ir_get_integer(result, "index", 0));
  return reduce && !strcmp(reduce, "max");
}

/* Whether a value is the maximum over the edges at a node; it may be stored and read again at each
 * edge. */
static bool is_maximum(const counter *c, MlirValue value, int depth) {
  if (depth == MAX_TRACE || ir_value_is_null(value) || mlirValueIsABlockArgument(value)) return false;
  MlirOperation op = ir_defining_op(value);
  if (ir_op_kind(op) == IR_OP(inter, result)) return is_max_loop(op);
  if (ir_op_kind(op) != IR_OP(intra, load)) return false;
  MlirValue stored = {map_get_pointer(&c->stored, ir_operand(op, IR_IN(intra, load, buffer)).ptr)};
  return is_maximum(c, stored, depth + 1);
}

static bool is_free(counter *c, MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, vector_add): return extends_product(c, op);
  case IR_OP(gnn, subtract): return is_maximum(c, ir_operand(op, IR_IN(gnn, subtract, b)), 0);
  default: return false;
  }
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* How often the body of a loop over the edges at a node runs, over all nodes together. */
static const char *trips_at_node(const counter *c, MlirOperation loop, const char *trips, const char *direction) {
  const char *set = ir_type_of(mlirOperationGetOperand(loop, 0)).set;
  MlirValue node = mlirOperationGetOperand(loop, 1);
  if (!strcmp(trips, "?")) return trips;
  if (!mlirValueIsABlockArgument(node)) {
    MlirOperation whole = ir_defining_op(node);
    if (ir_op_kind(whole) != IR_OP(inter, whole_row)) return "?";
    node = mlirOperationGetOperand(whole, 0);
    if (!mlirValueIsABlockArgument(node)) return "?";
  }
  const char *type = strrchr(ir_type_of(node).set, ':');
  if (type) return arena_printf(c->arena, "%s:%s%s", direction, set, type);
  return arena_printf(c->arena, "edge:%s", set);
}

/* How often the body of an inner loop runs; NULL for operations that are no loops. */
static const char *trips_of(const counter *c, MlirOperation op, const char *trips) {
  switch (ir_op_kind(op)) {
  case IR_OP(inter, softmax_incoming):
  case IR_OP(inter, for_incoming): return trips_at_node(c, op, trips, "in");
  case IR_OP(inter, for_outgoing): return trips_at_node(c, op, trips, "out");
  case IR_OP(inter, for_members): {
    if (!strcmp(trips, "?") || !mlirValueIsABlockArgument(mlirOperationGetOperand(op, 1))) return "?";
    ir_type member = ir_type_of(mlirBlockGetArgument(ir_region_block(op), 0));
    return arena_printf(c->arena, "%s:%s", member.detail, member.set);
  }
  case IR_OP(inter, fold): {
    const char *over = ir_get_string(op, "over", "in");
    if (!strcmp(over, "steps")) return "?"; /* known when the model runs */
    if (strcmp(over, "graph") != 0) return trips_at_node(c, op, trips, over);
    ir_type member = ir_type_of(mlirBlockGetArgument(ir_region_block(op), 0));
    return strcmp(trips, "?") ? arena_printf(c->arena, "%s:%s", member.detail, member.set) : trips;
  }
  case IR_OP(intra, nonzeros): return strcmp(trips, "?") ? rows_of(c, mlirOperationGetOperand(op, 0)) : trips;
  default: return NULL;
  }
}

/* Counts one step of each reduction per iteration, and the division of a mean or a softmax at the
 * end. */
static void count_reductions(const counter *c, MlirOperation loop, const char *outer, const char *trips) {
  MlirOperation end = ir_block_terminator(ir_region_block(loop));
  if (ir_op_kind(loop) == IR_OP(inter, fold)) return; /* the body is all that it computes */
  bool is_softmax = ir_op_kind(loop) == IR_OP(inter, softmax_incoming);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    int64_t elements = ir_type_elements(ir_type_of(mlirOperationGetOperand(end, i)));
    if (is_softmax) { /* exp and sum of each logit; a product and a sum for each value; one division at the end */
      add(c, &c->kernel->others, trips, 2 * elements);
      if (i > 0) add(c, &c->kernel->others, outer, elements);
      continue;
    }
    const char *reduce = ir_get_string_at(loop, "reduce", (size_t)i);
    add(c, &c->kernel->others, trips, (int64_t)gnn_cost_reduction(reduce, (double)elements, false));
    if (!strcmp(reduce, "mean")) add(c, &c->kernel->others, outer, elements);
  }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* Whether an operation is an inner product of the rows of a matrix with one vector. */
static bool is_matrix_vector(MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(gnn, vector_inner)) return false;
  return ir_type_of(mlirOperationGetOperand(op, 0)).rank != ir_type_of(mlirOperationGetOperand(op, 1)).rank;
}

/* Whether only rows of a matrix are read, which stored entries select. */
static bool is_read_by_rows(MlirValue matrix) {
  IR_FOR_EACH_USE(use, matrix)
    if (ir_op_kind(mlirOpOperandGetOwner(use)) != IR_OP(inter, row)) return false;
  return ir_value_has_uses(matrix);
}

static void count_operation(counter *c, MlirOperation op, const char *trips) {
  switch (ir_op_kind(op)) {
  case IR_OP(inter, src):
  case IR_OP(inter, dst):
  case IR_OP(inter, whole_row):
  case IR_OP(inter, group): add(c, &c->kernel->read, trips, INDEX_BYTES); return;
  case IR_OP(inter, degree):
  case IR_OP(inter, group_size): add(c, &c->kernel->read, trips, POINTER_BYTES); return;
  case IR_OP(inter, row):
    add(c, &c->kernel->read, trips, (int64_t)sizeof(float) * ir_type_elements(ir_type_of(ir_result(op))));
    return;
  case IR_OP(intra, load):
    if (is_read_by_rows(ir_result(op))) return;
    read_buffer(c, mlirOperationGetOperand(op, 0), trips);
    return;
  case IR_OP(intra, load_row):
  case IR_OP(intra, dense_row): read_buffer(c, mlirOperationGetOperand(op, 0), trips); return;
  case IR_OP(intra, store): write_buffer(c, ir_operand(op, IR_IN(intra, store, buffer)), trips); return;
  case IR_OP(inter, unite):
    add(c, &c->kernel->read, trips, INDEX_BYTES);
    read_buffer(c, ir_operand(op, IR_IN(inter, unite, rows)), trips);
    return;
  case IR_OP(inter, dropout): add(c, &c->kernel->others, trips, ir_type_elements(ir_type_of(ir_result(op)))); return;
  default: break;
  }
  if (is_free(c, op)) return;
  bool is_product = ir_op_kind(op) == IR_OP(gnn, linear) || is_matrix_vector(op);
  if (is_product) start_sum(c, ir_result(op));
  add(c, is_product ? &c->kernel->products : &c->kernel->others, trips, (int64_t)gnn_cost_per_row(op));
}

static void count_block(counter *c, MlirBlock block, const char *trips) {
  IR_FOR_EACH_OP(op, block) {
    const char *inner = trips_of(c, op, trips);
    if (!inner) {
      count_operation(c, op, trips);
      continue;
    }
    add(c, &c->kernel->read, trips, POINTER_BYTES);
    count_block(c, ir_region_block(op), inner);
    count_reductions(c, op, trips, inner);
  }
}

/* The rows over which a kernel runs. */
static const char *kernel_rows(const counter *c, MlirOperation op) {
  MlirBlock body = ir_region_block(op);
  if (mlirBlockGetNumArguments(body) == 0) return "one";
  ir_type cursor = ir_type_of(mlirBlockGetArgument(body, 0));
  bool is_of_set = !strcmp(cursor.detail, "node") || !strcmp(cursor.detail, "edge");
  if (!is_of_set) know_types(c, cursor.detail, ir_get_integer(op, "count", -1));
  return is_of_set ? arena_printf(c->arena, "%s:%s", cursor.detail, cursor.set) : cursor.detail;
}

static void count_gemm(counter *c, MlirOperation op) {
  MlirBlock body = ir_region_block(op);
  MlirValue a = ir_operand(op, IR_IN(intra, gemm, a)), b = ir_operand(op, IR_IN(intra, gemm, b));
  ir_type row = ir_type_of(a);
  const char *rows = c->kernel->rows;
  int64_t depth = row.rank ? row.dims[row.rank - 1] : 1;
  add(c, &c->kernel->products, rows, 2 * depth * ir_type_elements(ir_type_of(mlirBlockGetArgument(body, 1))));
  read_buffer(c, a, rows);
  read_buffer(c, b, rows);
  if (strcmp(ir_get_string(op, "gather", "none"), "none") != 0) add(c, &c->kernel->read, rows, INDEX_BYTES);
  start_sum(c, mlirBlockGetArgument(body, 1));
  count_block(c, body, rows);
}

/* Counts the sums of a contract: products of each number of A with those of B, and what is read for a row. */
static void count_contract(counter *c, MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(intra, contract, a)), b = ir_operand(op, IR_IN(intra, contract, b));
  MlirValue to = ir_operand(op, IR_IN(intra, contract, to));
  const char *const gathers[] = {ir_get_string(op, "gather_a", "none"), ir_get_string(op, "gather_b", "none")};
  bool is_gathered[] = {strcmp(gathers[0], "none") != 0, strcmp(gathers[1], "none") != 0}, has_a = !ir_value_is_null(a);
  const char *rows = rows_of(c, b);
  if (is_gathered[0] || is_gathered[1])
    rows = arena_printf(c->arena, "edge:%s", ir_type_of(mlirOperationGetOperand(op, 0)).set);
  c->kernel->rows = rows;
  int64_t elements = ir_type_elements(ir_type_of(b));
  ir_type row = has_a ? ir_type_of(a) : (ir_type){0};
  bool is_sparse = has_a && !strncmp(row.set, "nonzero:", 8);
  if (!has_a)
    add(c, &c->kernel->others, rows, elements);
  else if (is_sparse)
    add(c, &c->kernel->products, rows_of(c, a), 2 * elements);
  else
    add(c, &c->kernel->products, rows, 2 * elements * row.dims[row.rank - 1]);
  if (has_a) read_buffer(c, a, rows);
  read_buffer(c, b, rows);
  for (int i = 0; i < 2; i++)
    if (is_gathered[i]) add(c, &c->kernel->read, rows, INDEX_BYTES);
  write_buffer(c, to, rows_of(c, to));
}

/* Counts the additions of sums by an index, and what is read for a row. */
static void count_sum_by(counter *c, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(intra, sum_by, value)), index = ir_operand(op, IR_IN(intra, sum_by, index));
  MlirValue to = ir_operand(op, IR_IN(intra, sum_by, to));
  static const char *const gathers[] = {"gather_value", "gather_index"};
  c->kernel->rows = rows_of(c, value);
  for (int i = 0; i < 2; i++)
    if (!mlirAttributeIsNull(ir_get_attr(op, gathers[i])))
      c->kernel->rows = arena_printf(c->arena, "edge:%s", ir_type_of(mlirOperationGetOperand(op, 0)).set);
  for (int i = 0; i < 2; i++)
    if (!mlirAttributeIsNull(ir_get_attr(op, gathers[i]))) add(c, &c->kernel->read, c->kernel->rows, INDEX_BYTES);
  MlirValue times = ir_operand(op, IR_IN(intra, sum_by, times));
  int64_t elements = ir_type_elements(ir_type_of(value));
  if (ir_value_is_null(times)) {
    add(c, &c->kernel->others, c->kernel->rows, elements);
  } else {
    add(c, &c->kernel->products, c->kernel->rows, 2 * elements * ir_type_elements(ir_type_of(times)));
    read_buffer(c, times, c->kernel->rows);
  }
  read_buffer(c, value, c->kernel->rows);
  read_buffer(c, index, c->kernel->rows);
  write_buffer(c, to, rows_of(c, to));
}

static void count_copy(counter *c, MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetOperand(op, 1);
  const char *rows = rows_of(c, to);
  bool is_restriction = ir_op_kind(op) == IR_OP(intra, restrict_edges);
  c->kernel->rows = is_restriction ? rows_of(c, from) : rows;
  add(c, &c->kernel->read, rows_of(c, from), row_bytes(c, from));
  if (is_restriction) add(c, &c->kernel->read, rows_of(c, from), INDEX_BYTES);
  if (ir_op_kind(op) == IR_OP(intra, opposite_edges)) add(c, &c->kernel->read, rows, INDEX_BYTES);
  write_buffer(c, to, rows);
}

/* Counts a routine that makes edges or chooses nodes. How many pairs of nodes it compares depends on the sizes of the
 * graphs, and how many edges it writes on values. */
static void count_routine(counter *c, MlirOperation op) {
  bool is_top = ir_op_kind(op) == IR_OP(intra, top_nodes);
  if (!is_top) c->kernel->name = ir_get_string(op, "set", "");
  c->kernel->rows = mlirOperationGetNumOperands(op) ? rows_of(c, mlirOperationGetOperand(op, 0)) : "?";
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_top && i == IR_IN(intra, top_nodes, to))
      write_buffer(c, mlirOperationGetOperand(op, i), c->kernel->rows);
    else
      read_buffer(c, mlirOperationGetOperand(op, i), c->kernel->rows);
  if (is_top) return;
  if (ir_string_is(op, "by", "near")) {
    ir_type value = ir_type_of(mlirOperationGetOperand(op, 0));
    const char *pairs = arena_printf(c->arena, "pair:%s", value.set + strlen("node:"));
    add(c, &c->kernel->others, pairs, (int64_t)gnn_cost_near((double)ir_type_elements(value)));
  }
  const char *edges = arena_printf(c->arena, "edge:%s", ir_get_string(op, "set", ""));
  add(c, &c->kernel->written, edges, INDEX_BYTES);
}

/* Counts the bytes of a kernel over groups: the key or value of each member, or the row of each group, once, its index, and what is written. */
static void count_groups(counter *c, MlirOperation op) {
  MlirValue value = mlirOperationGetOperand(op, 1), to = mlirOperationGetOperand(op, 2);
  const char *over = ir_get_string(op, "over", "in"), *set = ir_type_of(mlirOperationGetOperand(op, 0)).set;
  bool is_graph = !strcmp(over, "graph");
  const char *base = ir_node_set(mlirOperationGetContext(op), set);
  const char *members = is_graph ? arena_printf(c->arena, "node:%s", base) : arena_printf(c->arena, "edge:%s", set);
  const char *groups = is_graph ? "graph" : arena_printf(c->arena, "node:%s", base);
  c->kernel->rows = groups;
  add(c, &c->kernel->read, groups, POINTER_BYTES);
  add(c, &c->kernel->read, members, INDEX_BYTES);
  add(c, &c->kernel->read, ir_op_kind(op) == IR_OP(intra, place_first) ? groups : members, row_bytes(c, value));
  write_buffer(c, to, rows_of(c, to));
}

_Static_assert(IR_IN(intra, exchange, buffer) == IR_IN(intra, share, buffer) &&
                   IR_IN(intra, exchange, buffer) == IR_IN(intra, exchange_edges, buffer),
               "they have the buffer at one place");

/* An exchange moves rows over a network; how many is not known before the graph is cut. */
static void count_exchange(counter *c, MlirOperation op) {
  MlirValue buffer = ir_operand(op, IR_IN(intra, exchange, buffer));
  c->kernel->rows = rows_of(c, buffer);
  c->kernel->name = ir_get_string(ir_defining_op(buffer), "name", "");
}

/* What runs only where ranks have columns takes the place of kernels that are counted. */
static void count_columns(counter *c, MlirOperation op) {
  MlirValue first = mlirOperationGetOperand(op, 0);
  const bool is_buffer = ir_type_of(first).kind == IR_KIND_buffer;
  c->kernel->rows = is_buffer ? rows_of(c, first) : kernel_rows(c, op);
  c->kernel->name = is_buffer ? ir_get_string(ir_defining_op(first), "name", "") : "";
}

static void count_kernel(counter *c, MlirOperation op, const char *phase) {
  static const char *const kinds[] = {[IR_OP(intra, gemm)] = "gemm",
                                      [IR_OP(intra, contract)] = "contract",
                                      [IR_OP(intra, sum_by)] = "sum_by",
                                      [IR_OP(intra, traverse)] = "traverse",
                                      [IR_OP(intra, copy)] = "copy",
                                      [IR_OP(intra, extend_edges)] = "extend_edges",
                                      [IR_OP(intra, restrict_edges)] = "restrict_edges",
                                      [IR_OP(intra, exchange)] = "exchange",
                                      [IR_OP(intra, exchange_edges)] = "exchange_edges",
                                      [IR_OP(intra, share)] = "share",
                                      [IR_OP(intra, transpose)] = "transpose",
                                      [IR_OP(intra, order)] = "order",
                                      [IR_OP(intra, first)] = "first",
                                      [IR_OP(intra, place_first)] = "place_first",
                                      [IR_OP(intra, quantile)] = "quantile",
                                      [IR_OP(intra, make_edges)] = "make_edges",
                                      [IR_OP(intra, top_nodes)] = "top_nodes",
                                      [IR_OP(intra, opposite_edges)] = "opposite_edges"};
  ir_op kind = ir_op_kind(op);
  if ((size_t)kind >= sizeof kinds / sizeof *kinds || !kinds[kind]) return;
  intra_kernel k = {.phase = phase, .kind = kinds[kind]};
  unsigned column;
  if (!ir_location_position(mlirOperationGetLocation(op), &k.file, &k.line, &column)) k.file = NULL;
  VEC_PUSH(c->arena, &c->out->kernels, k);
  c->kernel = &c->out->kernels.items[c->out->kernels.count - 1];
  c->seen = c->sums = (map){.arena = c->arena};
  if (kind == IR_OP(intra, transpose) || ir_string_is(op, "mode", "columns")) {
    count_columns(c, op);
    return;
  }
  if (kind == IR_OP(intra, copy) || kind == IR_OP(intra, extend_edges) || kind == IR_OP(intra, restrict_edges) ||
      kind == IR_OP(intra, opposite_edges)) {
    count_copy(c, op);
  } else if (kind == IR_OP(intra, exchange) || kind == IR_OP(intra, exchange_edges) || kind == IR_OP(intra, share)) {
    count_exchange(c, op);
  } else if (kind == IR_OP(intra, contract)) {
    count_contract(c, op);
  } else if (kind == IR_OP(intra, sum_by)) {
    count_sum_by(c, op);
  } else if (kind == IR_OP(intra, make_edges) || kind == IR_OP(intra, top_nodes)) {
    count_routine(c, op);
  } else if (kind == IR_OP(intra, order) || kind == IR_OP(intra, first) || kind == IR_OP(intra, place_first) ||
             kind == IR_OP(intra, quantile)) {
    count_groups(c, op);
  } else {
    c->kernel->rows = kernel_rows(c, op);
    if (kind == IR_OP(intra, gemm))
      count_gemm(c, op);
    else
      count_block(c, ir_region_block(op), c->kernel->rows);
  }
  if (!c->kernel->name) c->kernel->name = "";
}

static MlirWalkResult remember_store(MlirOperation op, void *user) {
  counter *c = user;
  if (ir_op_kind(op) == IR_OP(intra, store))
    map_set_pointer(&c->stored, ir_operand(op, IR_IN(intra, store, buffer)).ptr,
                    ir_operand(op, IR_IN(intra, store, value)).ptr);
  return MlirWalkResultAdvance;
}

static void count_phase(counter *c, MlirOperation func, const char *phase) {
  c->stored = (map){.arena = c->arena};
  mlirOperationWalk(func, remember_store, c, MlirWalkPreOrder);
  IR_FOR_EACH_OP(op, ir_func_body(func)) count_kernel(c, op, phase);
}

/* Adds the phase of a function, bind in front of the others, which keep their order in the module. */
static void add_phase(counter *c, MlirOperation module, bool is_bind) {
  IR_FOR_EACH_FUNC(func, module) {
    const char *phase = ir_get_string(func, "gnn.phase", NULL);
    if (!phase || !strcmp(phase, "bind") != is_bind) continue;
    VEC_PUSH(c->arena, &c->out->phases, phase);
    count_phase(c, func, phase);
  }
}

void intra_counts_collect(MlirOperation module, arena *a, bool is_f64, intra_counts *out) {
  *out = (intra_counts){0};
  counter c = {.arena = a, .is_f64 = is_f64, .out = out};
  add_phase(&c, module, true);
  add_phase(&c, module, false);
}
