/* Aggregate and Vector-Inner layers: fibers at a time, shards of a block, groups of a wave. */
#include "codegen/graphagile/tile/tile_edges.h"

#include "codegen/graphagile/plan/plan_links.h"
#include "codegen/graphagile/tile/tile_limits.h"

#include <math.h>

/* Whether a Vector-Inner layer can go over two shards at a time: all rows of both are there, and values meet numbers in the SDDMM. */
static bool has_inner_pairs(const graphagile_plan *p, const graphagile_plan_layer *l,
                            const graphagile_plan_tile *tile) {
  bool is_sum = l->combine == GRAPHAGILE_COMBINE_replace || l->combine == GRAPHAGILE_COMBINE_add ||
                l->combine == GRAPHAGILE_COMBINE_sub;
  return !p->options->paper && is_sum && l->in && l->other && tile->fibers >= l->in->fibers;
}

/* How blocks share what they load, for so many fibers at a time: keeps the cheapest tile. */
static void try_edges(const graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                      graphagile_partition_shape shape, graphagile_plan_tile tile, graphagile_plan_tile *best,
                      double *cycles) {
  const bool is_spdmm = l->kind == GRAPHAGILE_PLAN_SPDMM && !p->options->paper;
  int64_t shards = number_ceil_div(l->edges->list->to_rows, shape.dst_rows),
          groups = is_spdmm ? number_ceil_div(l->result->fibers, tile.fibers) : 1;
  bool has_sources = is_spdmm ? !l->before && graphagile_plan_has_sources(l) && !graphagile_plan_is_whole(l)
                              : has_inner_pairs(p, l, &tile);
  int64_t busy = is_spdmm && !l->num_links ? m->device->num_pes / 2 : 2; /* what memory bounds needs few */
  bool has_pairs = has_sources && shards >= 2 && number_ceil_div(shards, 2) * groups >= busy;
  int most = is_spdmm && m->shares ? (int)number_min(groups, m->device->num_pes) : 0;
  for (tile.targets = 1; tile.targets <= 1 + has_pairs; tile.targets++)
    for (tile.groups = 0; tile.groups <= most; tile.groups++)
      for (int parts = 0; parts <= (tile.groups > 0 && tile.targets > 1); parts++) {
        tile.has_parts = parts;
        double cost = graphagile_cost_edges(m, l, shape, tile);
        if (best->fibers && cost >= *cycles) continue;
        *best = tile;
        *cycles = cost;
      }
}

/* Fibers that leave room for what links and a division need in the buffers, and whose heads fit a LOOP. */
static int64_t most_with_links(const graphagile_plan *p, const graphagile_plan_layer *l,
                               graphagile_partition_shape shape) {
  int64_t rows = p->device->feature_rows, heads = graphagile_plan_heads(l), body = 4, length = 6;
  bool is_whole = graphagile_plan_is_whole(l);
  int64_t of_sources =
      l->in ? rows / shape.src_rows - (is_whole ? 0 : graphagile_plan_source_fibers(l)) : GRAPHAGILE_PLAN_MAX_FIBERS;
  if ((!l->in || is_whole) && graphagile_plan_source_fibers(l) * shape.src_rows > rows) return 0;
  if (is_whole && !graphagile_plan_has_one_piece(p->device, l, shape)) return 0;
  for (int i = 0; i < l->num_links; i++) length += 3 + l->links[i]->num_functions;
  for (int64_t h = 0; h < heads && body <= GRAPHAGILE_PLAN_MAX_BODY; h++) body += length;
  if (body > GRAPHAGILE_PLAN_MAX_BODY) return 0;
  return number_min(of_sources, rows / shape.dst_rows - graphagile_plan_destination_fibers(l));
}

graphagile_plan_tile graphagile_tile_edges(const graphagile_plan *p, const graphagile_cost_machine *m,
                                           const graphagile_plan_layer *l, graphagile_partition_shape shape,
                                           double *cycles) {
  int64_t most = graphagile_tile_most_fibers(p, l, number_max(shape.src_rows, shape.dst_rows));
  if (l->num_links || l->is_divided) most = number_min(most, most_with_links(p, l, shape));
  int64_t fibers = l->kind == GRAPHAGILE_PLAN_SDDMM ? (l->in ? l->in : l->other)->fibers : l->result->fibers;
  graphagile_plan_tile best = {0}, tile = {.rows = shape.dst_rows};
  fibers = number_max(1, fibers);
  most = number_min(most, fibers);
  if (most < 1) *cycles = INFINITY;
  if (most < 1) return best;
  if (p->options->paper && l->kind == GRAPHAGILE_PLAN_SPDMM) most = 1;
  for (int64_t groups = number_ceil_div(fibers, most); groups <= fibers;
       groups = groups < 4 ? groups + 1 : groups * 2) {
    tile.fibers = number_ceil_div(fibers, groups);
    try_edges(p, m, l, shape, tile, &best, cycles);
  }
  return best;
}
