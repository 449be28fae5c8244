/* inter.softmax_incoming: a softmax over the edges into a node and the sums that it weights, in one
 * pass over chunks of edges.
 *
 *   real top = -INFINITY, sum = 0, y[64] = {0};
 *   for (int64_t first = g->in_ptr[n]; first < g->in_ptr[n + 1]; first += 64) {
 *     real weight[64], best = top;
 *     for (int64_t p = first; p < last; p++) ...        weight[p - first] = a logit; best = the largest so far
 *     if (first > g->in_ptr[n]) ...                     sum and y are scaled from top to best
 *     softmax_weights(last - first, 1, &best, weight, &sum);
 *     for (int64_t p = first; p < last; p++) ...        y += weight[p - first] * value
 *   }
 * The logit of an edge is computed once and kept only for its chunk. Without edges the result is 0.
 * It is NaN if a logit is NaN or +inf or if all logits are -inf, as it would be if the maximum of
 * all logits were subtracted. */
#include "codegen/c/operation/softmax.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/place.h"
#include "codegen/c/operation/loop.h"
#include "codegen/c/operation/prefetch.h"
#include "codegen/c/operation/range.h"

enum { CHUNK = 64 };

/* The state while one loop is written. */
typedef struct c_softmax {
  MlirOperation op;
  MlirBlock block;
  c_range range;
  ir_type logit;
  int64_t heads; /* logits per edge */
  int64_t chunk; /* edges per chunk: fewer where each has many logits */
  const char *first, *last, *weight, *best, *top, *sum, *h;
  c_target *targets; /* of the results */
  MlirOperation *results;
  size_t count; /* number of results */
} c_softmax;

/* ---- parts of the region ---- */

static bool is_listed(const MlirValue *values, size_t count, MlirValue value) {
  for (size_t i = 0; i < count; i++)
    if (mlirValueEqual(values[i], value)) return true;
  return false;
}

typedef VEC(MlirValue) value_list;

static void add_operands(c_body *b, MlirOperation op, value_list *needed) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    VEC_PUSH(b->model->arena, needed, mlirOperationGetOperand(op, i));
  MlirBlock block = ir_region_block(op);
  if (mlirBlockIsNull(block)) return;
  IR_FOR_EACH_OP(inner, block) add_operands(b, inner, needed);
}

/* Writes the operations on which the yielded values from .. to - 1 depend. */
static void emit_slice(c_body *b, const c_softmax *s, intptr_t from, intptr_t to) {
  VEC(MlirOperation) all = {0};
  value_list needed = {0};
  arena *a = b->model->arena;
  MlirOperation yield = ir_block_terminator(s->block);
  for (intptr_t i = from; i < to; i++)
    if (i == 0 || !mlirOperationIsNull(s->results[i - 1])) VEC_PUSH(a, &needed, mlirOperationGetOperand(yield, i));
  IR_FOR_EACH_OP(op, s->block) VEC_PUSH(a, &all, op);
  bool *is_needed = arena_alloc_array(a, all.count + 1, sizeof *is_needed);
  for (size_t i = all.count; i-- > 0;) {
    bool gives = mlirOperationGetNumResults(all.items[i]) > 0;
    is_needed[i] = gives && is_listed(needed.items, needed.count, ir_result(all.items[i]));
    if (is_needed[i]) add_operands(b, all.items[i], &needed);
  }
  for (size_t i = 0; i < all.count && !b->failed; i++)
    if (is_needed[i]) c_body_emit_operation(b, all.items[i]);
}

/* Opens the loop over the edges of a chunk; returns the mark to leave it with. */
static c_mark open_edges(c_body *b, c_softmax *s) {
  c_mark mark = c_nest_mark(b);
  s->range.variable = c_names_add(&b->names, "p");
  c_writer_open_loop(b->w, s->range.variable, s->first, s->last);
  c_range_define_cursor(b, s->op, &s->range);
  return mark;
}

/* ---- text of places ---- */

/* The place of an edge's weights: "weight + (p - first) * 4". */
static const char *weights_of(c_body *b, const c_softmax *s) {
  const char *edge = arena_printf(b->model->arena, "%s - %s", s->range.variable, s->first);
  if (s->heads == 1) return arena_printf(b->model->arena, "%s + (%s)", s->weight, edge);
  return arena_printf(b->model->arena, "%s + (%s) * %lld", s->weight, edge, (long long)s->heads);
}

static const char *of_head(c_body *b, const c_softmax *s, const char *array) {
  return s->heads == 1 ? array : arena_printf(b->model->arena, "%s[%s]", array, s->h);
}

/* Opens a loop over heads; with one head it opens none. */
static c_mark open_heads(c_body *b, c_softmax *s) {
  c_mark mark = c_nest_mark(b);
  if (s->heads == 1) return mark;
  s->h = c_names_add(&b->names, "h");
  c_writer_open_count(b->w, s->h, s->heads);
  return mark;
}

/* "y[h * 8 + j] " with a loop over j, or "y ": applies an operation to all elements of a result
 * that belong to the current head. */
static void emit_scaled(c_body *b, const c_softmax *s, size_t result, const char *operation) {
  const c_target *target = &s->targets[result];
  ir_type type = ir_type_of(ir_result(s->results[result]));
  int64_t each = ir_type_elements(type) / s->heads;
  if (!type.rank) {
    c_writer_line(b->w, "%s %s;", target->base, operation);
    return;
  }
  size_t mark = b->names.count;
  const char *j = c_names_add(&b->names, "j");
  const char *lead = s->heads == 1 ? "" : arena_printf(b->model->arena, "%s * %lld + ", s->h, (long long)each);
  c_writer_line(b->w, "%s %s[%s%s] %s;", c_body_each(b, j, each), target->base, lead, j, operation);
  c_names_leave(&b->names, mark);
}

static void emit_all_scaled(c_body *b, const c_softmax *s, const char *operation) {
  for (size_t i = 0; i < s->count; i++)
    if (!mlirOperationIsNull(s->results[i])) emit_scaled(b, s, i, operation);
}

/* ---- the loop ---- */

static void declare(c_body *b, c_softmax *s) {
  for (size_t i = 0; i < s->count; i++) {
    s->results[i] = c_loop_find_result(s->op, i);
    if (!mlirOperationIsNull(s->results[i]))
      s->targets[i] = c_place_declare(b, ir_result(s->results[i]), "weighed", C_USE_summed);
  }
  s->top = c_names_add(&b->names, "top");
  s->sum = c_names_add(&b->names, "sum");
  if (s->heads == 1) {
    c_writer_line(b->w, "real %s = -INFINITY, %s = 0;", s->top, s->sum);
    return;
  }
  c_place_declare_array(b, s->top, s->heads, false);
  c_place_declare_array(b, s->sum, s->heads, true);
  c_body_emit_each(b, "h", s->heads, s->top, "= -INFINITY");
}

/* A NaN is never the largest, so that one instruction computes this, and no branch; the weight of a
 * logit that is NaN is NaN without it. */
static void emit_larger(c_body *b, const char *best, const char *logit) {
  c_writer_line(b->w, "%s = %s > %s ? %s : %s;", best, logit, best, logit, best);
}

/* Writes the loop that computes the logits of a chunk and the largest logit so far. */
static void emit_logits(c_body *b, c_softmax *s) {
  arena *a = b->model->arena;
  size_t values = b->values.count;
  c_mark mark = open_edges(b, s);
  c_prefetch_emit_chunk(b, s->op, &s->range);
  emit_slice(b, s, 0, 1);
  MlirValue logit = mlirOperationGetOperand(ir_block_terminator(s->block), 0);
  const char *to = c_names_add(&b->names, "logit");
  if (s->heads == 1) {
    const char *place = arena_printf(a, "%s[%s - %s]", s->weight, s->range.variable, s->first);
    c_writer_line(b->w, "real %s%s;", to, s->logit.rank ? "[1]" : "");
    c_nest_store(b, logit, (c_target){.base = to});
    if (s->logit.rank) to = arena_printf(a, "%s[0]", to);
    c_writer_line(b->w, "%s = %s;", place, to);
    emit_larger(b, s->best, to);
  } else {
    c_writer_line(b->w, "real *%s = %s;", to, weights_of(b, s));
    c_nest_store(b, logit, (c_target){.base = to});
    c_mark inner = open_heads(b, s);
    emit_larger(b, of_head(b, s, s->best), of_head(b, s, to));
    c_nest_leave(b, inner);
  }
  c_nest_leave(b, mark);
  b->values.count = values;
}

/* Writes the call that turns logits into weights relative to the largest so far, and scales the
 * earlier sums down to it. */
static void emit_weights(c_body *b, c_softmax *s) {
  arena *a = b->model->arena;
  const char *one = s->heads == 1 ? "&" : "", *scale = c_names_add(&b->names, "scale");
  c_writer_open(b->w, "if (%s > %s)", s->first, s->range.begin);
  c_mark mark = open_heads(b, s);
  const char *top = of_head(b, s, s->top), *best = of_head(b, s, s->best);
  c_writer_line(b->w, "const real %s = softmax_scale(%s, %s);", scale, top, best);
  c_writer_line(b->w, "%s *= %s;", of_head(b, s, s->sum), scale);
  emit_all_scaled(b, s, arena_printf(a, "*= %s", scale));
  c_nest_leave(b, mark);
  c_writer_close(b->w);
  c_writer_line(b->w, "softmax_weights(%s - %s, %lld, %s%s, %s, %s%s);", s->last, s->first, (long long)s->heads, one,
                s->best, s->weight, one, s->sum);
  mark = open_heads(b, s);
  c_writer_line(b->w, "%s = %s;", of_head(b, s, s->top), of_head(b, s, s->best));
  c_nest_leave(b, mark);
}

static const char *emit_weight(c_body *b, const char *weights, const char *at) {
  const char *w = c_names_add(&b->names, "w");
  c_writer_line(b->w, "const real %s = %s[%s];", w, weights, at);
  return w;
}

/* Writes one result at one edge: y += weight * value. */
static void emit_weighed(c_body *b, const c_softmax *s, size_t result, MlirValue value, const char *weights) {
  ir_type type = ir_type_of(value);
  c_target target = s->targets[result];
  target.mode = C_ASSIGN_add;
  unsigned rank = s->logit.rank, cuts = c_nest_cuts(b, value) | 1u << rank;
  c_index index = {.count = 0};
  c_nest_hoist(b, value, &index);
  const char *w = rank ? NULL : emit_weight(b, weights, "0");
  c_mark mark = c_nest_mark(b);
  if (rank) {
    c_nest_open(b, &value, 1, type.dims, rank, cuts, &index);
    w = emit_weight(b, weights, c_nest_flat(b, &index, rank));
  }
  c_nest_open_features(b, &value, 1, type.dims, type.rank, cuts, &index);
  const char *element = arena_printf(b->model->arena, "%s * %s", w, c_nest_element(b, value, &index));
  c_target_assign(b, target, type.rank ? c_nest_flat(b, &index, type.rank) : NULL, element);
  c_nest_leave(b, mark);
}

static void emit_sums(c_body *b, c_softmax *s) {
  size_t values = b->values.count;
  c_mark mark = open_edges(b, s);
  emit_slice(b, s, 1, (intptr_t)s->count + 1);
  MlirOperation yield = ir_block_terminator(s->block);
  const char *weights = c_names_add(&b->names, "weights");
  c_writer_line(b->w, "const real *%s = %s;", weights, weights_of(b, s));
  for (size_t i = 0; i < s->count && !b->failed; i++)
    if (!mlirOperationIsNull(s->results[i]))
      emit_weighed(b, s, i, mlirOperationGetOperand(yield, (intptr_t)i + 1), weights);
  c_nest_leave(b, mark);
  b->values.count = values;
}

static void emit_quotient(c_body *b, c_softmax *s) {
  c_writer_open(b->w, "if (%s < %s)", s->range.begin, s->range.end);
  c_mark mark = open_heads(b, s);
  emit_all_scaled(b, s, arena_printf(b->model->arena, "/= %s", of_head(b, s, s->sum)));
  c_nest_leave(b, mark);
  c_writer_close(b->w);
}

/* Declares the local arrays of a chunk. */
static void declare_chunk(c_body *b, c_softmax *s) {
  s->weight = c_names_add(&b->names, "weight");
  s->best = c_names_add(&b->names, "best");
  c_writer_line(b->w, "const int64_t %s = chunk_end(%s, %d, %s);", s->last, s->first, (int)s->chunk, s->range.end);
  if (s->heads == 1) {
    c_writer_line(b->w, "real %s[%d], %s = %s;", s->weight, CHUNK, s->best, s->top);
    return;
  }
  /* softmax_weights writes whole groups of 16 */
  c_place_declare_array(b, s->weight, (s->chunk * s->heads + 15) / 16 * 16, false);
  c_place_declare_array(b, s->best, s->heads, false);
  c_mark mark = open_heads(b, s);
  c_writer_line(b->w, "%s[%s] = %s[%s];", s->best, s->h, s->top, s->h);
  c_nest_leave(b, mark);
}

void c_softmax_emit(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  c_softmax s = {.op = op, .block = ir_region_block(op)};
  MlirOperation yield = ir_block_terminator(s.block);
  s.count = (size_t)mlirOperationGetNumOperands(yield) - 1;
  s.logit = ir_type_of(mlirOperationGetOperand(yield, 0));
  s.heads = ir_type_elements(s.logit);
  s.targets = arena_alloc_array(a, s.count + 1, sizeof *s.targets);
  s.results = arena_alloc_array(a, s.count + 1, sizeof *s.results);
  s.chunk = s.heads * CHUNK <= C_STACK_ELEMENTS ? CHUNK : s.heads < C_STACK_ELEMENTS ? C_STACK_ELEMENTS / s.heads : 1;
  size_t before = b->names.count;
  s.range = c_range_describe(b, op);
  c_names_leave(&b->names, before);
  declare(b, &s);
  c_mark mark = c_nest_mark(b);
  s.first = c_names_add(&b->names, "first");
  s.last = c_names_add(&b->names, "last");
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s += %d)", s.first, s.range.begin, s.first, s.range.end, s.first,
                (int)s.chunk);
  declare_chunk(b, &s);
  emit_logits(b, &s);
  emit_weights(b, &s);
  emit_sums(b, &s);
  c_nest_leave(b, mark);
  emit_quotient(b, &s);
  c_body_define(b, ir_result(op), C_FORM_loop, NULL)->targets = s.targets;
}
