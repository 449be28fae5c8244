/* Prefetches rows that later iterations of a loop over edges gather.
 *
 *   for (int64_t p = g->in_ptr[n]; p < g->in_ptr[n + 1]; p++) {
 *     if (p + 8 < g->num_edges) prefetch_row(z + (int64_t)g->src[p + 8] * 64, 256);
 *     const real *z_row = z + s * 64; ...
 * Positions of edges continue from node to node, so rows for the next nodes are prefetched too. */
#include "codegen/c/operation/prefetch.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"

#include <string.h>

enum {
  AHEAD = 8,           /* iterations: about the latency of memory in edges of 64 features */
  AHEAD_OF_BF16 = 16,  /* rows of half the bytes arrive in half the time */
  AHEAD_IN_CHUNK = 16, /* a loop over the logits of a chunk is shorter */
  SHORTEST = 32,       /* elements of a row; of loops over shorter rows the processor executes several at once */
  SHORTEST_IN_CHUNK = 4,
  LONGEST = 4096, /* bytes; longer rows are read sequentially, which the processor detects itself */
};

/* The number of a cursor at the later iteration `ahead`; NULL where it is the same in all iterations or
 * adjacent to that of this one. */
static const char *find_number(c_body *b, MlirValue cursor, MlirValue own, const char *ahead) {
  arena *a = b->model->arena;
  if (mlirValueEqual(cursor, own)) return c_body_find(b, own)->text;
  MlirOperation op = ir_defining_op(cursor);
  if (mlirOperationIsNull(op)) return NULL;
  ir_op kind = ir_op_kind(op);
  bool is_src = kind == IR_OP(inter, src), is_group = kind == IR_OP(inter, group);
  if (!is_src && !is_group && kind != IR_OP(inter, dst)) return NULL;
  MlirValue from = mlirOperationGetOperand(op, 0);
  const char *number = find_number(b, from, own, ahead);
  if (!number) return NULL;
  if (is_group) {
    int set = c_model_set(b->model, ir_type_of(cursor).set);
    return arena_printf(a, "%s->row[%s]", c_parameter_set(b, set), number);
  }
  if (mlirValueEqual(from, own)) { /* it is known, or the same for all edges of the loop */
    const c_value *edge = c_body_find(b, own);
    const char *known = is_src ? edge->src : edge->dst;
    if (known) return strstr(known, ahead) ? known : NULL;
  }
  int set = c_model_set(b->model, ir_type_of(from).set);
  if (!is_src && !b->model->sets.items[set].end) return NULL; /* edges are in the order of their destinations */
  const char *graph = c_parameter_set(b, set);
  return arena_printf(a, "%s->%s[%s]", graph, is_src ? "src" : "dst", number);
}

static int64_t row_bytes(const c_buffer *buffer) {
  return buffer->elements * (int64_t)(buffer->is_bf16 ? sizeof(uint16_t) : sizeof(float));
}

static bool is_gathered(const c_buffer *buffer, int64_t shortest) {
  return (buffer->rows == C_ROWS_node || buffer->rows == C_ROWS_edge) && buffer->elements >= shortest &&
         row_bytes(buffer) <= LONGEST;
}

/* Writes prefetches of the rows of at least `shortest` elements that the loads of a block gather, with
 * the block's cursor `own` defined as the later iteration `ahead`. */
static void emit_rows(c_body *b, MlirBlock block, MlirValue own, const char *ahead, int64_t shortest) {
  arena *a = b->model->arena;
  VEC(const char *) rows = {0};
  IR_FOR_EACH_OP(op, block) {
    if (ir_op_kind(op) != IR_OP(intra, load)) continue;
    MlirValue cursor = ir_operand(op, IR_IN(intra, load, cursor));
    const c_buffer *buffer = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, load, buffer)));
    if (!buffer || ir_value_is_null(cursor) || mlirValueEqual(cursor, own) || !is_gathered(buffer, shortest)) continue;
    const char *number = find_number(b, cursor, own, ahead);
    if (!number) continue;
    const char *name = c_parameter_buffer(b, buffer->value)->name;
    const char *row = arena_printf(a, "prefetch_row(%s + (int64_t)%s * %lld, %lld);", name, number,
                                   (long long)buffer->elements, (long long)row_bytes(buffer));
    bool is_new = true;
    for (size_t i = 0; i < rows.count; i++) is_new &= strcmp(rows.items[i], row) != 0;
    if (is_new) VEC_PUSH(a, &rows, row);
  }
  int set = c_body_find(b, own)->set;
  if (rows.count) c_writer_open(b->w, "if (%s < %s->num_edges)", ahead, c_parameter_set(b, set));
  for (size_t i = 0; i < rows.count; i++) c_writer_line(b->w, "%s", rows.items[i]);
  if (rows.count) c_writer_close(b->w);
}

/* The cursor of a block whose loop is over edges; null where the loop is over something else, or
 * where rows are double. */
static MlirValue find_edge(c_body *b, MlirBlock block) {
  MlirValue own = mlirBlockGetArgument(block, 0);
  bool is_edge = !b->model->options->is_f64 && c_row_is_at(own, C_ROWS_edge);
  return is_edge ? own : (MlirValue){NULL};
}

static void emit_ahead(c_body *b, MlirOperation loop, const c_range *range, int iterations, int64_t shortest) {
  MlirBlock block = ir_region_block(loop);
  MlirValue own = find_edge(b, block);
  if (ir_value_is_null(own) || ir_op_kind(loop) == IR_OP(intra, nonzeros)) return;
  size_t values = b->values.count;
  c_range ahead = *range;
  ahead.variable = arena_printf(b->model->arena, "%s + %d", range->variable, iterations);
  c_range_define_cursor(b, loop, &ahead);
  emit_rows(b, block, own, ahead.variable, shortest);
  b->values.count = values;
}

/* How many iterations a block's loads are asked for before they are executed. */
static int iterations_ahead(c_body *b, MlirBlock block) {
  IR_FOR_EACH_OP(op, block) {
    if (ir_op_kind(op) != IR_OP(intra, load)) continue;
    const c_buffer *buffer = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, load, buffer)));
    if (buffer && buffer->is_bf16) return AHEAD_OF_BF16;
  }
  return AHEAD;
}

void c_prefetch_emit(c_body *b, MlirOperation loop, const c_range *range) {
  emit_ahead(b, loop, range, iterations_ahead(b, ir_region_block(loop)), SHORTEST);
}

void c_prefetch_emit_chunk(c_body *b, MlirOperation loop, const c_range *range) {
  emit_ahead(b, loop, range, AHEAD_IN_CHUNK, SHORTEST_IN_CHUNK);
}

void c_prefetch_emit_kernel(c_body *b, MlirBlock block) {
  MlirValue own = find_edge(b, block);
  if (ir_value_is_null(own)) return;
  size_t values = b->values.count;
  const c_value *at = c_body_find(b, own);
  int set = at->set;
  const char *ahead = arena_printf(b->model->arena, "%s + %d", at->text, iterations_ahead(b, block));
  c_body_define(b, own, C_FORM_cursor, ahead)->set = set;
  emit_rows(b, block, own, ahead, SHORTEST);
  b->values.count = values;
}
