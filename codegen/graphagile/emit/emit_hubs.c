/* Several sums for each hub. Copies double and sums halve, so that 32 places take five instructions each way. */
#include "codegen/graphagile/emit/emit_hubs.h"

#include "codegen/graphagile/emit/emit_code.h"
#include "support/number.h"

#include <math.h>

static void fill(graphagile_emit *e, const graphagile_emit_hubs *h, int64_t begin, int64_t rows, int constant) {
  EMIT(e, init, .fill = GRAPHAGILE_FILL_constant, .buffer = (uint64_t)h->buffer, .base = h->base + (uint64_t)begin,
       .rows = (uint64_t)rows, .nfib = (uint64_t)h->fibers, .stride = h->stride, .param = (uint64_t)constant);
}

void graphagile_emit_begin_hubs(graphagile_emit *e, const graphagile_emit_hubs *h, int reduce) {
  const graphagile_partition_shape *s = h->shape;
  if (!s->hub_rows) return;
  int constant =
      graphagile_plan_constant_index(e->plan, e->layer, reduce == GRAPHAGILE_REDUCE_max ? -INFINITY : INFINITY);
  fill(e, h, 0, s->hub_rows, constant);
  fill(e, h, s->dst_rows, graphagile_partition_sums(s) - s->dst_rows, constant);
}

/* Rows `to` and following become function(rows a and following, rows b and following). */
static void combine(graphagile_emit *e, const graphagile_emit_hubs *h, uint64_t function, int64_t to, int64_t a,
                    int64_t b, int64_t rows) {
  EMIT(e, vadd, .function = function, .a = (uint64_t)h->buffer, .b = (uint64_t)h->buffer, .out = (uint64_t)h->buffer,
       .a_base = h->base + (uint64_t)a, .b_base = h->base + (uint64_t)b, .out_base = h->base + (uint64_t)to,
       .rows = (uint64_t)rows, .nfib = (uint64_t)h->fibers, .stride = h->stride);
}

void graphagile_emit_copy_hubs(graphagile_emit *e, const graphagile_emit_hubs *h) {
  const graphagile_partition_shape *s = h->shape;
  const int64_t all = s->hub_places - 1;
  if (!s->hub_rows || !h->fibers) return;
  for (int64_t done = 0, count; done < all; done += count) {
    int64_t from = done ? s->dst_rows : 0;
    count = number_min(number_max(1, done), all - done);
    combine(e, h, GRAPHAGILE_VECTOR_max, s->dst_rows + done * s->hub_rows, from, from, count * s->hub_rows);
  }
}

void graphagile_emit_join_hubs(graphagile_emit *e, const graphagile_emit_hubs *h, int reduce) {
  static const uint64_t functions[] = {[GRAPHAGILE_REDUCE_sum] = GRAPHAGILE_VECTOR_add,
                                       [GRAPHAGILE_REDUCE_max] = GRAPHAGILE_VECTOR_max,
                                       [GRAPHAGILE_REDUCE_min] = GRAPHAGILE_VECTOR_min};
  const graphagile_partition_shape *s = h->shape;
  const int64_t rows = s->hub_rows,
                first = s->dst_rows - rows; /* place n begins at row first + n * rows, but place 0 */
  for (int64_t half = s->hub_places / 2; rows && half > 0; half /= 2) {
    if (half > 1)
      combine(e, h, functions[reduce], first + rows, first + rows, first + (half + 1) * rows, (half - 1) * rows);
    combine(e, h, functions[reduce], 0, 0, first + half * rows, rows);
  }
}
