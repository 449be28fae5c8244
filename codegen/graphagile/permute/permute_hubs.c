/* Finds out whether hubs may have several sums each. Edges into one row follow each other at the distance of the
 * adder's latency, so a row with very many edges keeps its PE busy alone. With 32 sums it takes a 32nd of the time;
 * the block adds them up at its end (emit_shard.c).
 *
 *   the rows of a shard in a buffer:  hub 0, hub 1, row 2, ..., the last row, hub 0, hub 1, hub 0, hub 1, ... */
#include "codegen/graphagile/permute/permute_hubs.h"

#include "support/number.h"

/* Two, so that the places of a hub are in all pipelines: each takes two neighbouring rows of sixteen. */
enum { HUB_ROWS = 2 };

/* Whether a layer over the list adds up rows, and nothing else that depends on the place of a sum. */
static bool is_plain_sum(const graphagile_plan_layer *l) {
  const graphagile_plan_spdmm *s = &l->spdmm;
  return l->kind == GRAPHAGILE_PLAN_spdmm && s->reduce == GRAPHAGILE_REDUCE_sum && !s->num_links && !s->is_divided &&
         !s->before;
}

/* Whether another layer begins with sums over a list of this shape. */
static bool is_before(const graphagile_plan_layer *l, const graphagile_plan_shape *shape) {
  return l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.before && l->spdmm.before->spdmm.edges->shape == shape;
}

static bool goes_over(const graphagile_plan_layer *l, const graphagile_plan_shape *shape) {
  return graphagile_plan_has_pieces(l) && graphagile_plan_edges_of(l)->shape == shape;
}

/* The most fibers of sums in a buffer; 0 where a layer does not allow several sums. */
static int64_t most_fibers(const graphagile_plan *p, const graphagile_plan_shape *shape) {
  int64_t most = 0;
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    if (is_before(l, shape)) return 0;
    if (!goes_over(l, shape)) continue;
    if (!is_plain_sum(l)) return 0;
    most = number_max(most, number_min(l->tile.fibers, l->result->fibers));
  }
  return most;
}

graphagile_partition_shape graphagile_permute_spread_hubs(const graphagile_plan *p, const graphagile_plan_edge_list *e,
                                                          int places) {
  graphagile_partition_shape shape = e->shape->shape;
  int64_t fibers = most_fibers(p, e->shape), width = p->device->width, added = HUB_ROWS * (places - 1);
  if (!fibers) return shape;
  int64_t room = (p->device->feature_rows / fibers - added) / width * width;
  int64_t rows = number_min(shape.dst_rows, room);
  if (rows < shape.dst_rows / 2 || rows < HUB_ROWS * width) return shape;
  shape.dst_rows = (int32_t)rows;
  shape.hub_rows = HUB_ROWS;
  shape.hub_places = places;
  return shape;
}

void graphagile_permute_set_shape(graphagile_plan *p, const graphagile_plan_edge_list *e,
                                  graphagile_partition_shape shape) {
  e->shape->shape = shape;
  for (size_t i = 0; i < p->layers.count; i++)
    if (goes_over(&p->layers.items[i], e->shape)) p->layers.items[i].tile.rows = shape.dst_rows;
}
