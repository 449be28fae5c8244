/* The sums of a destination shard: the computations on a piece, in one SPDMM or one for each head,
 * and what follows the sums. */
#include "codegen/graphagile/emit/emit_shard.h"

#include "codegen/graphagile/emit/emit_attention.h"
#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_hubs.h"
#include "codegen/graphagile/emit/emit_product.h"
#include "support/number.h"

/* Emits the SPDMMs for the heads that have columns in the block's fibers. */
static void emit_heads(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_spdmm *s = &l->spdmm;
  int64_t heads = s->values->width, columns = s->in ? l->result->width / heads : 1;
  int64_t begin = r->first_fiber * e->lanes, end = number_min(begin + r->fibers * e->lanes, l->result->width);
  for (int64_t h = begin / columns; h * columns < end; h++) {
    graphagile_emit_part parts[GRAPHAGILE_EMIT_MOST_PARTS];
    int64_t from = number_max(h * columns, begin) - begin, to = number_min((h + 1) * columns, end) - begin;
    int count = graphagile_emit_split_columns(e, from, to, GRAPHAGILE_EMIT_NO_CHUNKS, parts);
    graphagile_emit_load_values(e, p, h);
    for (int i = 0; i < count; i++) {
      bool is_last = (h + 1) * columns >= end && i + 1 == count;
      graphagile_emit_sum(e, p, r, &parts[i], is_last, is_last);
    }
  }
}

void graphagile_emit_aggregate(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_spdmm *s = &l->spdmm;
  if (graphagile_emit_has_attention(s)) {
    graphagile_emit_attention(e, p, r);
    return;
  }
  if (s->values && (s->values->width > 1 || !s->in)) {
    emit_heads(e, p, r);
    return;
  }
  graphagile_emit_part all = {0, r->fibers, e->all};
  if (s->values) graphagile_emit_load_values(e, p, 0);
  graphagile_emit_sum(e, p, r, &all, true, true);
}

static void settle(graphagile_emit *e, const graphagile_emit_region *r) {
  EMIT(e, post, .function = GRAPHAGILE_FUNCTION_settle, .buffer = (uint64_t)(GRAPHAGILE_F0 + e->out),
       .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers, .stride = graphagile_emit_stride(r));
}

void graphagile_emit_finish(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_spdmm *s = &e->layer->spdmm;
  const graphagile_emit_hubs hubs = {&s->edges->shape->shape, e->out, 0, r->fibers + s->is_divided,
                                     graphagile_emit_stride(r)};
  graphagile_emit_join_hubs(e, &hubs, s->reduce);
  if (s->reduce != GRAPHAGILE_REDUCE_sum && !s->edges->list->every_destination) settle(e, r);
  graphagile_emit_add(e, r);
  if (!s->product) {
    graphagile_emit_end(e, e->out, r);
    return;
  }
  graphagile_emit_apply(e, e->out, r);
  graphagile_emit_product(e, r);
}

graphagile_emit_region graphagile_emit_shard(const graphagile_emit *e, int64_t group, int64_t shard) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_spdmm *s = &l->spdmm;
  const graphagile_partition_shape *shape = &s->edges->shape->shape;
  int64_t rows = shape->dst_rows;
  graphagile_emit_region r = {.first_fiber = group * l->tile.fibers, .first_row = shard * rows};
  if (shape->hub_rows) r.stride = graphagile_partition_sums(shape);
  r.fibers = number_min(l->tile.fibers, l->result->fibers - r.first_fiber);
  r.rows = number_min(rows, l->result->rows - r.first_row);
  return r;
}
