/* inter.softmax_incoming: a softmax over the edges into a node and the sums it weighs, in one pass over chunks of edges.
 *
 *   real top = -INFINITY, sum = 0, y[64] = {0};
 *   for (int64_t first = g->in_ptr[n]; first < g->in_ptr[n + 1]; first += 64) {
 *     real weight[64];                                  logits of the chunk
 *     ...                                               top and sum, and what is summed so far scaled to the new top
 *     for (int64_t p = first; p < last; p++) ...        y += weight[p - first] * value
 *   }
 * Each edge's logit is read twice at most and never stored for longer than its chunk. Over no edges the result is 0. A NaN among the
 * logits, one that is +inf, or all of them -inf, makes it NaN, as subtracting the maximum of all logits would. */
#include "codegen/c/body.h"

#include <string.h>

enum { CHUNK = 64 };

/* One loop being written. */
typedef struct c_softmax {
  MlirOperation op;
  MlirBlock block;
  c_range range;
  ir_type logit;
  int64_t heads; /* logits per edge */
  const char *first, *last, *weight, *top, *sum, *h;
  c_target *targets; /* of the results */
  MlirOperation *results;
  size_t count; /* of the results */
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
  for (MlirOperation inner = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(inner);
       inner = mlirOperationGetNextInBlock(inner))
    add_operands(b, inner, needed);
}

/* Writes the operations that the yielded values from .. to - 1 need. */
static void emit_slice(c_body *b, const c_softmax *s, intptr_t from, intptr_t to) {
  VEC(MlirOperation) all = {0};
  value_list needed = {0};
  arena *a = b->model->arena;
  MlirOperation yield = ir_block_terminator(s->block);
  for (intptr_t i = from; i < to; i++)
    if (i == 0 || !mlirOperationIsNull(s->results[i - 1])) VEC_PUSH(a, &needed, mlirOperationGetOperand(yield, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(s->block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    VEC_PUSH(a, &all, op);
  bool *is_needed = arena_alloc_array(a, all.count + 1, sizeof *is_needed);
  for (size_t i = all.count; i-- > 0;) {
    bool gives = mlirOperationGetNumResults(all.items[i]) > 0;
    is_needed[i] = gives && is_listed(needed.items, needed.count, ir_result(all.items[i]));
    if (is_needed[i]) add_operands(b, all.items[i], &needed);
  }
  for (size_t i = 0; i < all.count && !b->failed; i++)
    if (is_needed[i]) c_body_emit_operation(b, all.items[i]);
}

/* Opens the loop over the edges of a chunk; returns what to leave it with. */
static c_mark open_edges(c_body *b, c_softmax *s) {
  c_mark mark = c_nest_mark(b);
  s->range.variable = c_names_add(&b->names, "p");
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s++)", s->range.variable, s->first, s->range.variable, s->last,
                s->range.variable);
  c_range_define_cursor(b, s->op, &s->range);
  return mark;
}

/* ---- text of places ---- */

/* The weight of head `h` (text, NULL where there is one) at an edge of the chunk. */
static const char *weight_at(c_body *b, const c_softmax *s, const char *h, const char *edge) {
  arena *a = b->model->arena;
  if (s->heads == 1) return arena_printf(a, "%s[%s]", s->weight, edge);
  return arena_printf(a, strchr(h, ' ') ? "%s[(%s) * %d + %s]" : "%s[%s * %d + %s]", s->weight, h, CHUNK, edge);
}

static const char *of_head(c_body *b, const c_softmax *s, const char *array) {
  return s->heads == 1 ? array : arena_printf(b->model->arena, "%s[%s]", array, s->h);
}

/* "y[h * 8 + j] " with a loop over j, or "y ": all elements of a result that belong to the current head. */
static void emit_scaled(c_body *b, const c_softmax *s, size_t result, const char *operation) {
  const c_target *target = &s->targets[result];
  ir_type type = ir_type_of(ir_result(s->results[result]));
  long long each = (long long)(ir_type_elements(type) / s->heads);
  if (!type.rank) {
    c_writer_line(b->w, "%s %s;", target->base, operation);
    return;
  }
  size_t mark = b->names.count;
  const char *j = c_names_add(&b->names, "j");
  const char *lead = s->heads == 1 ? "" : arena_printf(b->model->arena, "%s * %lld + ", s->h, each);
  c_writer_line(b->w, "for (int64_t %s = 0; %s < %lld; %s++) %s[%s%s] %s;", j, j, each, j, target->base, lead, j,
                operation);
  c_names_leave(&b->names, mark);
}

static void emit_all_scaled(c_body *b, const c_softmax *s, const char *operation) {
  for (size_t i = 0; i < s->count; i++)
    if (!mlirOperationIsNull(s->results[i])) emit_scaled(b, s, i, operation);
}

/* ---- the loop ---- */

static void declare(c_body *b, c_softmax *s) {
  for (size_t i = 0; i < s->count; i++) {
    s->results[i] = c_loops_find_result(s->op, i);
    if (!mlirOperationIsNull(s->results[i]))
      s->targets[i] = c_body_place(b, ir_result(s->results[i]), "weighed", C_USE_summed);
  }
  s->top = c_names_add(&b->names, "top");
  s->sum = c_names_add(&b->names, "sum");
  if (s->heads == 1) {
    c_writer_line(b->w, "real %s = -INFINITY, %s = 0;", s->top, s->sum);
    return;
  }
  size_t mark = b->names.count;
  const char *h = c_names_add(&b->names, "h");
  c_writer_line(b->w, "real %s[%lld], %s[%lld] = {0};", s->top, (long long)s->heads, s->sum, (long long)s->heads);
  c_writer_line(b->w, "for (int64_t %s = 0; %s < %lld; %s++) %s[%s] = -INFINITY;", h, h, (long long)s->heads, h, s->top,
                h);
  c_names_leave(&b->names, mark);
}

/* The logits of a chunk, by head. */
static void emit_logits(c_body *b, c_softmax *s) {
  size_t values = b->values.count;
  c_mark mark = open_edges(b, s);
  emit_slice(b, s, 0, 1);
  MlirValue logit = mlirOperationGetOperand(ir_block_terminator(s->block), 0);
  const char *edge = arena_printf(b->model->arena, "%s - %s", s->range.variable, s->first);
  if (!s->logit.rank) {
    c_nest_store(b, logit, (c_target){.base = weight_at(b, s, "0", edge)});
  } else {
    const char *from = c_body_memory(b, logit), *h = c_names_add(&b->names, "h");
    const char *widen = c_body_widen(b, c_body_find(b, logit)->is_float);
    c_writer_line(b->w, "for (int64_t %s = 0; %s < %lld; %s++) %s = %s%s[%s];", h, h, (long long)s->heads, h,
                  weight_at(b, s, h, edge), widen, from, h);
  }
  c_nest_leave(b, mark);
  b->values.count = values;
}

/* Logits become weights relative to the largest so far; what was summed before is scaled down to it. */
static void emit_weights(c_body *b, c_softmax *s) {
  arena *a = b->model->arena;
  c_mark mark = c_nest_mark(b);
  s->h = c_names_add(&b->names, "h");
  if (s->heads > 1) c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld; %s++)", s->h, s->h, (long long)s->heads, s->h);
  const char *i = c_names_add(&b->names, "i"), *best = c_names_add(&b->names, "best");
  const char *level = c_names_add(&b->names, "level"), *scale = c_names_add(&b->names, "scale");
  const char *top = of_head(b, s, s->top), *sum = of_head(b, s, s->sum), *weight = weight_at(b, s, s->h, i);
  const char *loop = arena_printf(a, "for (int64_t %s = 0; %s < %s - %s; %s++)", i, i, s->last, s->first, i);
  c_writer_line(b->w, "real %s = %s;", best, top);
  c_writer_line(b->w, "%s %s = real_max(%s, %s);", loop, best, weight, best);
  c_writer_line(b->w, "const real %s = %s == -INFINITY ? 0 : %s; /* no weight yet: all of them 0 */", level, best,
                best);
  c_writer_open(b->w, "if (%s > %s)", s->first, s->range.begin);
  c_writer_line(b->w, "const real %s = real_exp(%s - %s);", scale, top, level);
  c_writer_line(b->w, "%s *= %s;", sum, scale);
  emit_all_scaled(b, s, arena_printf(a, "*= %s", scale));
  c_writer_close(b->w);
  c_writer_line(b->w, "%s = %s;", top, best);
  c_writer_line(b->w, "FEATURE_LOOP");
  c_writer_line(b->w, "%s %s = real_exp(%s - %s);", loop, weight, weight, level);
  c_writer_line(b->w, "%s %s += %s;", loop, sum, weight);
  c_nest_leave(b, mark);
}

static const char *emit_weight(c_body *b, const c_softmax *s, const char *h, const char *edge) {
  const char *w = c_names_add(&b->names, "w");
  c_writer_line(b->w, "const real %s = %s;", w, weight_at(b, s, h, edge));
  return w;
}

/* One result at one edge: y += weight * value. */
static void emit_weighed(c_body *b, const c_softmax *s, size_t result, MlirValue value, const char *edge) {
  ir_type type = ir_type_of(value);
  c_target target = s->targets[result];
  target.mode = C_ASSIGN_add;
  unsigned rank = s->logit.rank, cuts = c_nest_cuts(b, value) | 1u << rank;
  c_index index = {.count = 0};
  c_nest_hoist(b, value, &index);
  const char *w = rank ? NULL : emit_weight(b, s, "0", edge);
  c_mark mark = c_nest_mark(b);
  if (rank) {
    c_nest_open(b, &value, 1, type.dims, rank, cuts, &index);
    w = emit_weight(b, s, c_nest_flat(b, &index, rank), edge);
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
  const char *edge = arena_printf(b->model->arena, "%s - %s", s->range.variable, s->first);
  for (size_t i = 0; i < s->count && !b->failed; i++)
    if (!mlirOperationIsNull(s->results[i]))
      emit_weighed(b, s, i, mlirOperationGetOperand(yield, (intptr_t)i + 1), edge);
  c_nest_leave(b, mark);
  b->values.count = values;
}

static void emit_quotient(c_body *b, c_softmax *s) {
  c_mark mark = c_nest_mark(b);
  s->h = c_names_add(&b->names, "h");
  if (s->heads > 1)
    c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld && %s < %s; %s++)", s->h, s->h, (long long)s->heads,
                  s->range.begin, s->range.end, s->h);
  else
    c_writer_open(b->w, "if (%s < %s)", s->range.begin, s->range.end);
  emit_all_scaled(b, s, arena_printf(b->model->arena, "/= %s", of_head(b, s, s->sum)));
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
  if (s.heads * CHUNK > C_STACK_ELEMENTS) {
    c_body_fail(b, op, DIAG_unsupported, "a softmax of %lld numbers per edge; the C target takes at most %d",
                (long long)s.heads, C_STACK_ELEMENTS / CHUNK);
    return;
  }
  size_t before = b->names.count;
  s.range = c_range_describe(b, op);
  c_names_leave(&b->names, before);
  declare(b, &s);
  c_mark mark = c_nest_mark(b);
  s.first = c_names_add(&b->names, "first");
  s.last = c_names_add(&b->names, "last");
  s.weight = c_names_add(&b->names, "weight");
  c_writer_open(b->w, "for (int64_t %s = %s; %s < %s; %s += %d)", s.first, s.range.begin, s.first, s.range.end, s.first,
                CHUNK);
  c_writer_line(b->w, "const int64_t %s = chunk_end(%s, %d, %s);", s.last, s.first, CHUNK, s.range.end);
  c_writer_line(b->w, "real %s[%lld];", s.weight, (long long)s.heads * CHUNK);
  emit_logits(b, &s);
  emit_weights(b, &s);
  emit_sums(b, &s);
  c_nest_leave(b, mark);
  emit_quotient(b, &s);
  c_body_define(b, ir_result(op), C_FORM_loop, NULL)->targets = s.targets;
}
