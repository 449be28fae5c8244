/* Finds out whether hubs may have several sums each. Edges into one row follow each other at the distance of the
 * adder's latency, so a row with very many edges keeps its PE busy alone. With 32 sums it takes a 32nd of the time;
 * the block joins them at its end (emit_hubs.h).
 *
 *   the rows of a shard in a buffer:  hub 0, hub 1, row 2, ..., the last row, hub 0, hub 1, hub 0, hub 1, ... */
#include "codegen/graphagile/permute/permute_hubs.h"

#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

#include <math.h>

/* Two, so that the places of a hub are in all pipelines: each takes two neighbouring rows of sixteen. */
enum { HUB_ROWS = 2 };

/* Whether a reduction over the list may be made in parts. A maximum or minimum of no edges is no number that can be
 * joined with others. */
static bool can_join(const graphagile_plan_layer *l, int reduce) {
  return reduce == GRAPHAGILE_REDUCE_sum || graphagile_plan_edges_of(l)->list->every_destination;
}

/* Whether a layer may find the edges of hubs in several places. A sum that a link makes would be joined once for each
 * head; and an inner product whose rows do not stay in the buffer would copy them for each piece. */
static bool has_places(const graphagile_plan_layer *l) {
  const graphagile_plan_spdmm *s = &l->spdmm;
  if (l->kind == GRAPHAGILE_PLAN_sddmm) return l->tile.fibers >= graphagile_plan_rows_of(&l->sddmm)->fibers;
  if (l->kind != GRAPHAGILE_PLAN_spdmm || s->before || !can_join(l, s->reduce)) return false;
  for (int i = 0; i < s->num_links; i++)
    if (s->links[i]->kind == GRAPHAGILE_PLAN_spdmm &&
        (s->links[i]->spdmm.reduce != GRAPHAGILE_REDUCE_max || !can_join(l, GRAPHAGILE_REDUCE_max)))
      return false;
  return true;
}

/* Whether another layer begins with sums over a list of this shape. */
static bool is_before(const graphagile_plan_layer *l, const graphagile_plan_shape *shape) {
  return l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.before && l->spdmm.before->spdmm.edges->shape == shape;
}

static bool goes_over(const graphagile_plan_layer *l, const graphagile_plan_shape *shape) {
  return graphagile_plan_has_pieces(l) && graphagile_plan_edges_of(l)->shape == shape;
}

/* The fibers of destinations in a buffer. */
static int64_t fibers_of(const graphagile_plan_layer *l) {
  if (l->kind == GRAPHAGILE_PLAN_sddmm) return graphagile_plan_rows_of(&l->sddmm)->fibers;
  return number_min(l->tile.fibers, l->result->fibers) + graphagile_plan_destination_fibers(&l->spdmm);
}

/* The most fibers of destinations in a buffer; 0 where a layer does not allow several sums. */
static int64_t most_fibers(const graphagile_plan *p, const graphagile_plan_shape *shape) {
  int64_t most = 0;
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    if (is_before(l, shape)) return 0;
    if (!goes_over(l, shape)) continue;
    if (!has_places(l)) return 0;
    most = number_max(most, fibers_of(l));
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
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    if (!goes_over(l, e->shape)) continue;
    l->tile.rows = shape.dst_rows;
    /* the numbers with which places begin must be in the table before the program is written */
    if (!shape.hub_rows || l->kind != GRAPHAGILE_PLAN_spdmm) continue;
    if (l->spdmm.reduce == GRAPHAGILE_REDUCE_min) graphagile_plan_constant_index(p, l, INFINITY);
    if (l->spdmm.reduce == GRAPHAGILE_REDUCE_max || l->spdmm.num_links) graphagile_plan_constant_index(p, l, -INFINITY);
  }
}
