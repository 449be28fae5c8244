/* How blocks begin and end: a bias or an addend initialises the sums in F2; after the sums come
 * epilogues, functions and the store. */
#include "codegen/graphagile/emit/emit_block.h"

#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_hubs.h"
#include "codegen/graphagile/emit/emit_memo.h"
#include "codegen/graphagile/plan/plan_links.h"

enum { F0, F1, F2 };

/* The Feature Buffer for the next operand of an epilogue; two free buffers are taken in turns. */
static int take_free(graphagile_emit *e) {
  int taken = e->free_f;
  if (e->num_free > 1) e->free_f = 1 - e->free_f;
  return taken;
}

/* The word address in DDR of a region's fiber. */
static uint64_t address_of(const graphagile_emit *e, const graphagile_plan_tensor *t, const graphagile_emit_region *r,
                           int64_t fiber) {
  return (t->address + (uint64_t)((r->first_fiber + fiber) * t->stride + r->first_row) * graphagile_emit_row(e, t)) / 4;
}

/* How many fibers a load or store moves: all, or one where fibers are farther apart in the buffer
 * than they have rows. */
static int64_t at_once(const graphagile_emit_region *r) {
  return graphagile_emit_stride(r) == (uint64_t)r->rows ? r->fibers : 1;
}

void graphagile_emit_load_rows(graphagile_emit *e, int buffer, const graphagile_plan_tensor *t,
                               const graphagile_emit_region *r) {
  int64_t fibers = at_once(r);
  for (int64_t q = 0; q < r->fibers; q += fibers) {
    EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + buffer), .lock = q + fibers == r->fibers, .wait = q == 0,
         .kind = (uint64_t)t->kind, .form = graphagile_emit_form(t), .base = (uint64_t)q * graphagile_emit_stride(r),
         .count = (uint64_t)r->rows, .nfib = (uint64_t)fibers, .addr = address_of(e, t, r, q),
         .stride = fibers > 1 ? (uint64_t)t->stride : 0);
    graphagile_emit_moves(e, graphagile_emit_row(e, t), (uint64_t)t->stride * graphagile_emit_row(e, t));
  }
}

void graphagile_emit_fill(graphagile_emit *e, int buffer, int how, int w, bool frees_w,
                          const graphagile_emit_region *r) {
  EMIT(e, init, .fill = (uint64_t)how, .unlock_w = frees_w, .w = (uint64_t)w, .buffer = (uint64_t)buffer,
       .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers, .stride = graphagile_emit_stride(r));
}

void graphagile_emit_fill_constant(graphagile_emit *e, const graphagile_plan_constant *c, int buffer, int w,
                                   const graphagile_emit_region *r) {
  uint64_t type = c->types > 1 ? (uint64_t)r->type : 0;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_W0 + w), .lock = 1, .wait = 1, .kind = GRAPHAGILE_KIND_weights,
       .count = (uint64_t)r->fibers, .nfib = 1,
       .addr = (c->address + type * c->type_bytes + (uint64_t)r->first_fiber * e->row) / 4);
  graphagile_emit_moves(e, 0, e->row);
  graphagile_emit_fill(e, buffer, GRAPHAGILE_FILL_row, w, true, r);
}

/* F2 <- function(F2, scale * buffer), or with is_swapped function(buffer, scale * F2). The other
 * buffer becomes EMPTY. */
static void combine(graphagile_emit *e, const graphagile_vadd *how, bool is_swapped, int buffer,
                    const graphagile_emit_region *r) {
  EMIT(e, vadd, .function = how->function, .unlock_a = is_swapped, .unlock_b = !is_swapped, .bcast_b = how->bcast_b,
       .a = (uint64_t)(is_swapped ? buffer : e->out), .b = (uint64_t)(is_swapped ? e->out : buffer),
       .out = (uint64_t)e->out, .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers,
       .stride = graphagile_emit_stride(r), .scale = how->scale);
}

static void add_buffer(graphagile_emit *e, int buffer, const graphagile_emit_region *r) {
  const graphagile_vadd add = {.function = GRAPHAGILE_VECTOR_add};
  combine(e, &add, false, buffer, r);
}

static bool has_bias(const graphagile_plan_start *start) {
  return start->bias.fibers > 0 && !start->bias.is_merged;
}

/* The rows of a shard that have places behind the others, too; 0: none. */
static int64_t hub_rows_of(const graphagile_emit *e) {
  return e->layer->kind == GRAPHAGILE_PLAN_spdmm ? e->layer->spdmm.edges->shape->shape.hub_rows : 0;
}

/* Whether the addend was loaded into F2 as initial value. That pays only where the block before
 * releases that buffer early. */
static bool began_with_addend(const graphagile_emit *e, const graphagile_plan_start *start) {
  return start->addend && start->bias.fibers == 0 && e->free_f == F0 && e->out == F2 && !e->is_product &&
         !hub_rows_of(e);
}

/* Whether a layer adds to the initial value of F2, as all do except Aggregates with another
 * reduction than a sum. */
static bool is_sum(const graphagile_plan_layer *l) {
  return l->kind != GRAPHAGILE_PLAN_spdmm || l->spdmm.reduce == GRAPHAGILE_REDUCE_sum;
}

static void fill_unset(graphagile_emit *e, const graphagile_emit_region *r, uint64_t base, int64_t fibers) {
  EMIT(e, init, .fill = GRAPHAGILE_FILL_unset, .buffer = (uint64_t)e->out, .base = base, .rows = (uint64_t)r->rows,
       .nfib = (uint64_t)fibers, .stride = graphagile_emit_stride(r));
}

static void load_fibers(graphagile_emit *e, const graphagile_plan_tensor *t, const graphagile_emit_region *r,
                        uint64_t base) {
  const graphagile_emit_region rows = {.first_row = r->first_row};
  for (int64_t q = 0; q < t->fibers; q++)
    EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + e->out), .lock = 1, .kind = (uint64_t)t->kind,
         .form = graphagile_emit_form(t), .base = base + (uint64_t)q * graphagile_emit_stride(r),
         .count = (uint64_t)r->rows, .nfib = 1, .addr = address_of(e, t, &rows, q));
}

/* The places of hubs in some fibers from row `base` of the buffer on. */
static graphagile_emit_hubs hubs_at(const graphagile_emit *e, const graphagile_emit_region *r, uint64_t base,
                                    int64_t fibers) {
  return (graphagile_emit_hubs){&e->layer->spdmm.edges->shape->shape, e->out, base, fibers, graphagile_emit_stride(r)};
}

/* Prepares the rows of destinations behind the sums: those that a link makes are filled, the others
 * are loaded. All fills come first, because a fill must not run while the buffer is being
 * loaded; then the places of hubs get copies of what was loaded. */
static void begin_destinations(graphagile_emit *e, const graphagile_plan_spdmm *s, const graphagile_emit_region *r) {
  const graphagile_plan_tensor *tensors[GRAPHAGILE_PLAN_MAX_LINKS];
  int count = graphagile_plan_destinations(s, tensors);
  enum { FILL, LOAD, COPY, STEPS };
  for (int step = FILL; step < STEPS; step++) {
    uint64_t at = (uint64_t)(r->fibers + s->is_divided) * graphagile_emit_stride(r);
    for (int i = 0; i < count; i++) {
      bool is_made = graphagile_plan_makes(s, tensors[i]);
      const graphagile_emit_hubs hubs = hubs_at(e, r, at, tensors[i]->fibers);
      if (is_made && step == FILL) fill_unset(e, r, at, tensors[i]->fibers);
      if (is_made && step == FILL) graphagile_emit_begin_hubs(e, &hubs, GRAPHAGILE_REDUCE_max);
      if (!is_made && step == LOAD) load_fibers(e, tensors[i], r, at);
      if (!is_made && step == COPY) graphagile_emit_copy_hubs(e, &hubs);
      at += (uint64_t)tensors[i]->fibers * graphagile_emit_stride(r);
    }
  }
}

static void begin_sums(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_start *start = graphagile_plan_start_of(l);
  graphagile_emit_region all = *r;
  all.fibers += l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.is_divided;
  if (hub_rows_of(e)) all.rows = r->stride;
  if (is_sum(l) && has_bias(start) && hub_rows_of(e))
    graphagile_emit_fill(e, e->out, GRAPHAGILE_FILL_zero, 0, false, &all);
  if (!is_sum(l)) {
    const graphagile_emit_hubs hubs = hubs_at(e, r, 0, r->fibers);
    graphagile_emit_fill(e, e->out, GRAPHAGILE_FILL_unset, 0, false, r);
    graphagile_emit_begin_hubs(e, &hubs, l->spdmm.reduce);
  } else if (has_bias(start))
    graphagile_emit_fill_constant(e, &start->bias, e->out, e->free_w, r);
  else if (began_with_addend(e, start))
    graphagile_emit_load_rows(e, e->out, start->addend, r);
  else
    graphagile_emit_fill(e, e->out, GRAPHAGILE_FILL_zero, 0, false, &all);
}

void graphagile_emit_begin(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  begin_sums(e, r);
  if (l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.num_links) begin_destinations(e, &l->spdmm, r);
}

void graphagile_emit_add(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_start *start = graphagile_plan_start_of(e->layer);
  bool is_done = is_sum(e->layer) && began_with_addend(e, start);
  if (start->addend && !is_done) {
    int buffer = take_free(e);
    graphagile_emit_load_rows(e, buffer, start->addend, r);
    add_buffer(e, buffer, r);
  }
  if (!has_bias(start) || is_sum(e->layer)) return;
  int buffer = take_free(e);
  graphagile_emit_fill_constant(e, &start->bias, buffer, 0, r);
  add_buffer(e, buffer, r);
}

/* The larger one of zero and the sums, which takes fewer cycles than POST. The sums are the right
 * operand, so that NaN and -0 stay. */
static void emit_relu(graphagile_emit *e, int buffer, const graphagile_emit_region *r) {
  int zeros = take_free(e);
  graphagile_emit_fill(e, zeros, GRAPHAGILE_FILL_zero, 0, false, r);
  EMIT(e, vadd, .function = GRAPHAGILE_VECTOR_max, .unlock_a = 1, .a = (uint64_t)zeros, .b = (uint64_t)buffer,
       .out = (uint64_t)buffer, .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers,
       .stride = graphagile_emit_stride(r));
}

static void post(graphagile_emit *e, int buffer, const graphagile_plan_function *functions, int count,
                 const graphagile_emit_region *r) {
  const bool is_multiplied = graphagile_plan_product_of(e->layer) != NULL; /* see graphagile_plan_relus */
  for (int i = 0; i < count; i++) {
    if (is_multiplied && functions[i].function == GRAPHAGILE_FUNCTION_relu) {
      emit_relu(e, buffer, r);
      continue;
    }
    EMIT(e, post, .function = (uint64_t)functions[i].function, .buffer = (uint64_t)(GRAPHAGILE_F0 + buffer),
         .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers, .stride = graphagile_emit_stride(r),
         .param = (uint64_t)functions[i].param);
  }
}

/* Divides the sums by the column that lies behind them. */
static void divide(graphagile_emit *e, const graphagile_plan_epilogue *t, const graphagile_emit_region *r) {
  EMIT(e, vadd, .function = (uint64_t)t->operation, .bcast_b = t->is_bcast, .scale = (uint64_t)t->scale,
       .a = (uint64_t)e->out, .b = (uint64_t)e->out, .out = (uint64_t)e->out,
       .b_base = (uint64_t)r->fibers * graphagile_emit_stride(r), .rows = (uint64_t)r->rows,
       .nfib = (uint64_t)r->fibers, .stride = graphagile_emit_stride(r));
}

static void emit_epilogue(graphagile_emit *e, const graphagile_plan_epilogue *t, const graphagile_emit_region *r) {
  if (t->is_own) {
    divide(e, t, r);
    return;
  }
  int buffer = take_free(e);
  graphagile_emit_region column = *r;
  if (t->is_bcast) column.first_fiber = 0, column.fibers = 1;
  if (t->other)
    graphagile_emit_load_rows(e, buffer, t->other, &column);
  else
    graphagile_emit_fill_constant(e, &t->row, buffer, e->free_w, r);
  const graphagile_vadd how = {.function = (uint64_t)t->operation, .bcast_b = t->is_bcast, .scale = (uint64_t)t->scale};
  combine(e, &how, t->is_swapped, buffer, r);
}

/* Applies the layer's functions and epilogues but, where the result is stored, the last function
 * that a store can apply; returns that one. */
static graphagile_plan_function apply(graphagile_emit *e, int buffer, bool is_stored, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_function *functions = l->functions;
  graphagile_plan_function last = {GRAPHAGILE_FUNCTION_none, 0};
  int count = l->num_functions;
  for (int i = 0; i < l->num_epilogues; i++) {
    post(e, buffer, functions, count, r);
    emit_epilogue(e, &l->epilogues[i], r);
    functions = l->epilogues[i].functions;
    count = l->epilogues[i].num_functions;
  }
  if (is_stored && count && graphagile_plan_is_stored(functions[count - 1])) last = functions[--count];
  post(e, buffer, functions, count, r);
  return last;
}

void graphagile_emit_apply(graphagile_emit *e, int buffer, const graphagile_emit_region *r) {
  apply(e, buffer, false, r);
}

void graphagile_emit_end(graphagile_emit *e, int buffer, const graphagile_emit_region *r) {
  const graphagile_plan_tensor *t = e->layer->result;
  const graphagile_plan_function last = apply(e, buffer, true, r);
  int64_t fibers = at_once(r);
  for (int64_t q = 0; q < r->fibers; q += fibers) {
    bool is_last = q + fibers == r->fibers;
    EMIT(e, memwr, .buffer = (uint64_t)(GRAPHAGILE_F0 + buffer), .unlock = is_last, .eot = is_last && !e->goes_on,
         .kind = (uint64_t)t->kind, .form = graphagile_emit_form(t), .base = (uint64_t)q * graphagile_emit_stride(r),
         .count = (uint64_t)r->rows, .nfib = (uint64_t)fibers, .addr = address_of(e, t, r, q),
         .stride = fibers > 1 ? (uint64_t)t->stride : 0, .act = (uint64_t)last.function, .param = (uint64_t)last.param);
    graphagile_emit_moves(e, graphagile_emit_row(e, t), (uint64_t)t->stride * graphagile_emit_row(e, t));
  }
}
