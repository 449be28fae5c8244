/* Linear layers by block matrix multiplication (GraphAGILE, Section VI-E, "Data Partitioning of a
 * Linear Layer"): a block is a row tile and a group of output fibers; a loop over chunks of the
 * inner dimension accumulates in F2.
 *
 *   INIT F2; LOOP n { MEMRD F0|F1; MEMRD W0|W1; GEMM acc }; [MEMRD; MEMRD; GEMM of the rest]; MEMWR F2 */
#include "codegen/graphagile/emit/emit_gemm.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_memo.h"
#include "support/number.h"

/* A number of columns of the inner dimension that are multiplied at a time. */
typedef struct chunk {
  int64_t first, len; /* columns of the inner dimension: the first, and how many in each chunk */
  int64_t count;      /* consecutive chunks of this length, in a LOOP if more than one */
  int parity;         /* buffer of the first chunk */
  bool accumulates;
  bool has_head; /* the bias is loaded before its rows of the matrix */
} chunk;

static void load_in(graphagile_emit *e, const graphagile_emit_region *r, const chunk *c, bool repeats) {
  const graphagile_plan_tensor *t = e->layer->gemm.in;
  int64_t fibers = number_ceil_div(c->len, e->lanes), first = c->first / e->lanes;
  /* parts in which the stride of a high tensor is given, because it does not fit its field */
  int64_t parts = graphagile_plan_is_high(t) ? e->lanes : 1;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_F0 + c->parity), .lock = 1, .wait = 1, .inc = repeats,
       .alt = repeats && e->alternates, .kind = (uint64_t)t->kind, .form = graphagile_emit_form(t),
       .count = (uint64_t)r->rows, .nfib = (uint64_t)fibers,
       .addr = (t->address + (uint64_t)(first * t->stride + r->first_row) * graphagile_emit_row(e, t)) / 4,
       .stride = fibers > 1 || repeats ? (uint64_t)(t->stride / parts) : 0,
       .step = repeats ? (uint64_t)(fibers * parts) : 0);
  graphagile_emit_moves(e, graphagile_emit_row(e, t), 0);
}

static void load_matrix(graphagile_emit *e, const graphagile_emit_region *r, const chunk *c, bool repeats) {
  const graphagile_plan_constant *m = &e->layer->gemm.matrix;
  uint64_t rows = (uint64_t)((c->len + c->has_head) * r->fibers), type = m->types > 1 ? (uint64_t)r->type : 0;
  int64_t before = c->has_head ? 0 : m->head; /* rows of the group before the chunk's */
  uint64_t first = (uint64_t)(r->first_fiber * (m->depth + m->head) + (c->first + before) * r->fibers);
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_W0 + (e->first ^ c->parity)), .lock = 1, .wait = 1, .inc = repeats,
       .alt = repeats && e->alternates, .kind = GRAPHAGILE_KIND_weights, .count = rows, .nfib = 1,
       .addr = (m->address + type * m->type_bytes + first * e->row) / 4, .stride = repeats ? rows : 0, .step = repeats);
  graphagile_emit_moves(e, 0, (uint64_t)(m->depth + m->head) * e->row);
}

static void multiply(graphagile_emit *e, const graphagile_emit_region *r, const chunk *c, bool repeats) {
  EMIT(e, gemm, .acc = c->accumulates, .unlock_f = 1, .unlock_w = 1, .alt = repeats && e->alternates,
       .skip = e->layer->gemm.matrix.has_zeros, .in = (uint64_t)c->parity, .out = 2,
       .w = (uint64_t)(e->first ^ c->parity), .w_base = c->has_head ? (uint64_t)r->fibers : 0,
       .rows = (uint64_t)r->rows, .len = (uint64_t)c->len, .gfib = (uint64_t)r->fibers, .in_stride = (uint64_t)r->rows,
       .out_stride = (uint64_t)r->rows);
}

static void emit_chunk(graphagile_emit *e, const graphagile_emit_region *r, const chunk *c) {
  bool repeats = c->count > 1;
  size_t loop = repeats ? graphagile_emit_loop(e, c->count, 0) : 0;
  load_in(e, r, c, repeats);
  load_matrix(e, r, c, repeats);
  if (c->has_head) graphagile_emit_fill(e, 2, GRAPHAGILE_FILL_row, e->first ^ c->parity, false, r);
  multiply(e, r, c, repeats);
  if (repeats) graphagile_emit_loop_end(e, loop);
}

/* How many columns the last chunk has. A rest of less than a fiber joins the chunk before it if
 * buffers have room, because the systolic array takes as long for one column as for a whole
 * fiber. */
static int64_t last_chunk(const graphagile_emit *e, const graphagile_emit_region *r, int64_t depth, int64_t len,
                          int64_t peeled) {
  const graphagile_device *d = e->plan->device;
  int64_t rest = depth % len, joined = len + rest;
  bool fits = number_ceil_div(joined, e->lanes) <= graphagile_plan_most_fibers(d, e->layer->gemm.in, r->rows) &&
              joined <= graphagile_plan_most_depth(d, r->fibers);
  return rest && rest < e->lanes && depth / len > peeled && fits ? joined : rest;
}

/* Whether the last chunk comes first, without accumulating, so that F2 needs no initial value. In
 * the paper's accounting it does, if its load takes no longer than that of another chunk. Otherwise
 * it does not: the computation of the first chunk must hide the load of the second, whose buffer
 * the block before is still storing. */
static bool is_last_first(const graphagile_emit *e, int64_t last, int64_t len) {
  const graphagile_plan_gemm *g = &e->layer->gemm;
  bool is_short = last < len || g->in->place == GRAPHAGILE_PLAN_INPUT;
  return e->plan->options->paper && last && !g->start.bias.fibers && !g->start.addend && is_short;
}

/* Emits one block. A chunk whose load brings the bias too is taken out of the loop. */
static void emit_block(graphagile_emit *e, const graphagile_emit_region *r, int64_t number) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_gemm *g = &l->gemm;
  int64_t depth = g->matrix.depth, len = number_max(1, number_min(l->tile.inner * e->lanes, depth));
  int64_t peeled = g->matrix.head, last = last_chunk(e, r, depth, len, peeled), full = (depth - last) / len;
  int64_t chunks = full + (last != 0);
  bool leads = is_last_first(e, last, len), starts = g->start.bias.fibers || g->start.addend || (chunks != 1 && !leads);
  chunk rest = {.first = full * len, .len = last, .count = 1, .accumulates = starts};
  graphagile_emit_turn(e, number, chunks);
  if (!l->num_epilogues && graphagile_emit_memo_copy(e, r)) return;
  graphagile_emit_memo_begin(e, r);
  if (starts && !peeled) graphagile_emit_begin(e, r);
  chunk c = {.len = len, .count = 1, .accumulates = starts, .has_head = true};
  if (peeled) emit_chunk(e, r, &c);
  if (leads) emit_chunk(e, r, &rest);
  c = (chunk){.first = peeled * len, .len = len, .count = full - peeled, .accumulates = starts || leads};
  c.parity = e->alternates && (peeled || leads);
  if (c.count > 0) emit_chunk(e, r, &c);
  rest.parity = e->alternates ? (int)(full & 1) : 0;
  if (last && !leads) emit_chunk(e, r, &rest);
  graphagile_emit_add(e, r);
  graphagile_emit_end(e, 2, r);
  graphagile_emit_memo_end(e);
}

/* Emits the row tiles begin .. end - 1 of a segment for one group of fibers; returns the number of
 * blocks so far. */
static int64_t emit_rows(graphagile_emit *e, graphagile_emit_region r, int64_t begin, int64_t end, int64_t blocks) {
  for (r.first_row = begin; r.first_row < end; r.first_row += r.rows, blocks++) {
    r.rows = number_min(e->layer->tile.rows, end - r.first_row);
    emit_block(e, &r, blocks);
  }
  return blocks;
}

int64_t graphagile_emit_gemm(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_segments *segments = &l->gemm.segments;
  int64_t blocks = 0;
  graphagile_emit_memo_reset(e);
  for (int64_t g = 0; g < l->result->fibers; g += l->tile.fibers) {
    graphagile_emit_region r = {.first_fiber = g, .fibers = number_min(l->tile.fibers, l->result->fibers - g)};
    if (!segments->count) blocks = emit_rows(e, r, 0, l->result->rows, blocks);
    for (r.type = 0; r.type < segments->count; r.type++)
      blocks = emit_rows(e, r, segments->offsets[r.type], segments->offsets[r.type + 1], blocks);
  }
  return blocks;
}
