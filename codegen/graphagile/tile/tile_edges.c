/* Tiles of Aggregate and Vector-Inner layers: how many fibers at a time, how many shards per
 * block, how many groups of fibers per wave. */
#include "codegen/graphagile/tile/tile_edges.h"

#include "codegen/graphagile/cost/cost_edges.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "codegen/graphagile/plan/plan_product.h"
#include "codegen/graphagile/tile/tile_limits.h"

#include <math.h>

/* How the blocks of a layer may share loads. */
typedef struct ways {
  bool has_pairs; /* one pass over the sources may serve two shards */
  int groups;     /* the most groups of fibers in a wave; 0: blocks share nothing */
} ways;

/* Whether blocks may take two shards each: enough blocks must remain to keep the PEs busy. */
static bool has_pairs(int64_t shards, int64_t groups, int64_t busy) {
  return shards >= 2 && number_ceil_div(shards, 2) * groups >= busy;
}

enum { FEW = 2 }; /* so many blocks keep the memory busy */

static ways spdmm_ways(const graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                       int64_t shards, int64_t fibers) {
  const graphagile_plan_spdmm *s = &l->spdmm;
  int64_t groups = number_ceil_div(l->result->fibers, fibers);
  int64_t busy = s->num_links ? FEW : m->device->num_pes / 2; /* a layer bound by memory needs few blocks */
  if (p->options->paper) return (ways){0};
  bool has_sources = !s->before && graphagile_plan_has_sources(s) && !graphagile_plan_is_whole(s);
  return (ways){.has_pairs = has_sources && has_pairs(shards, groups, busy),
                .groups = m->shares ? (int)number_min(groups, m->device->num_pes) : 0};
}

/* Blocks may take two shards if the rows of both fit their buffers and the SDDMM itself combines
 * its numbers with the values. */
static ways sddmm_ways(const graphagile_plan *p, const graphagile_plan_sddmm *s, int64_t shards, int64_t fibers) {
  bool fits = graphagile_plan_is_added(s) && s->src && s->dst && fibers >= s->src->fibers;
  return (ways){.has_pairs = !p->options->paper && fits && has_pairs(shards, 1, FEW)};
}

/* The fibers that the blocks of a layer cover. */
static int64_t fibers_of(const graphagile_plan_layer *l) {
  if (l->kind == GRAPHAGILE_PLAN_sddmm) return graphagile_plan_rows_of(&l->sddmm)->fibers;
  return l->result->fibers;
}

/* Whether waves of so many groups of fibers need a look: not where fewer groups make as many waves of
 * as many shards, or one group more makes fewer. */
static bool is_wave_width(int64_t pes, int64_t groups, int64_t wide) {
  int64_t high = pes / wide, rounds = number_ceil_div(groups, wide);
  bool is_wasteful = wide > 1 && pes / (wide - 1) == high && number_ceil_div(groups, wide - 1) == rounds;
  bool is_narrow = wide < groups && pes / (wide + 1) == high && number_ceil_div(groups, wide + 1) < rounds;
  return !is_wasteful && !is_narrow;
}

/* Whether a subshard may have so many edges that its pieces are cut into parts. */
static bool may_have_parts(const graphagile_plan_edge_list *edges, int64_t shards) {
  return edges->list->edges / number_max(1, shards) >= 2 * GRAPHAGILE_PLAN_PART_EDGES;
}

/* Tries every way to share loads with so many fibers at a time, and keeps the cheapest tile. */
static void try_edges(const graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                      const graphagile_cost_cut *c, graphagile_plan_tile tile, graphagile_plan_tile *best,
                      double *cycles) {
  int64_t shards = number_ceil_div(graphagile_plan_edges_of(l)->list->to_rows, c->shape.dst_rows);
  ways w = l->kind == GRAPHAGILE_PLAN_sddmm ? sddmm_ways(p, &l->sddmm, shards, tile.fibers)
                                            : spdmm_ways(p, m, l, shards, tile.fibers);
  bool has_parts = may_have_parts(graphagile_plan_edges_of(l), shards);
  int64_t groups = number_ceil_div(fibers_of(l), tile.fibers);
  for (tile.targets = 1; tile.targets <= 1 + w.has_pairs; tile.targets++) {
    if (graphagile_plan_product_of(l) && !graphagile_plan_product_rows(p->device, l, tile)) continue;
    const graphagile_cost_layer described = graphagile_cost_layer_of(m, l, c, tile);
    for (tile.groups = 0; tile.groups <= w.groups; tile.groups++) {
      if (tile.groups && !is_wave_width(p->device->num_pes, groups, tile.groups)) continue;
      for (int parts = 0; parts <= (has_parts && tile.groups > 0 && tile.targets > 1); parts++) {
        tile.has_parts = parts;
        double cost = graphagile_cost_edges(m, &described, tile);
        if (best->fibers && cost >= *cycles) continue;
        *best = tile;
        *cycles = cost;
      }
    }
  }
}

/* The most instructions in a LOOP body: for the piece, loads of records and rows; for each head,
 * a load and a store of values and the sums; for each head and link, up to three SDDMMs. */
enum { OF_PIECE = 4, OF_HEAD = 6, OF_LINK = 3 };

static bool fits_loop(const graphagile_plan_spdmm *s) {
  int64_t body = OF_PIECE, head = OF_HEAD, heads = graphagile_plan_heads(s);
  for (int i = 0; i < s->num_links; i++) head += OF_LINK + s->links[i]->num_functions;
  return heads <= (GRAPHAGILE_PLAN_MAX_BODY - body) / head;
}

/* The most fibers that leave room in the buffers for the rows of links and the column of a
 * division; 0 where those alone do not fit, or where the heads do not fit a LOOP body. */
static int64_t most_with_links(const graphagile_device *d, const graphagile_plan_spdmm *s,
                               graphagile_partition_shape shape) {
  int64_t rows = d->feature_rows, linked = graphagile_plan_source_fibers(s), of_sources = GRAPHAGILE_PLAN_MAX_FIBERS;
  bool is_whole = graphagile_plan_is_whole(s);
  if (s->in) of_sources = rows / shape.src_rows - (is_whole ? 0 : linked);
  if ((!s->in || is_whole) && linked * shape.src_rows > rows) return 0;
  if (is_whole && !graphagile_plan_has_one_piece(d, s, shape)) return 0;
  if (!fits_loop(s)) return 0;
  return number_min(of_sources, rows / shape.dst_rows - graphagile_plan_destination_fibers(s));
}

static int64_t most_fibers(const graphagile_plan *p, const graphagile_plan_layer *l, graphagile_partition_shape shape) {
  int64_t most = graphagile_tile_most_fibers(p, l, number_max(shape.src_rows, shape.dst_rows));
  if (l->kind == GRAPHAGILE_PLAN_spdmm && (l->spdmm.num_links || l->spdmm.is_divided))
    most = number_min(most, most_with_links(p->device, &l->spdmm, shape));
  return most;
}

graphagile_plan_tile graphagile_tile_edges(const graphagile_plan *p, const graphagile_cost_machine *m,
                                           const graphagile_plan_layer *l, graphagile_partition_shape shape,
                                           double *cycles) {
  graphagile_plan_tile best = {0}, tile = {.rows = shape.dst_rows};
  int64_t fibers = number_max(1, fibers_of(l)), most = number_min(most_fibers(p, l, shape), fibers);
  const bool has_product = graphagile_plan_product_of(l) != NULL; /* then blocks have all fibers */
  if (most < (has_product ? fibers : 1)) {
    *cycles = INFINITY;
    return best;
  }
  graphagile_cost_cut c = graphagile_cost_cut_of(m, graphagile_plan_edges_of(l)->list, shape);
  if (p->options->paper && l->kind == GRAPHAGILE_PLAN_spdmm) most = 1;
  const int64_t most_groups = has_product ? 1 : fibers;
  *cycles = INFINITY;
  for (int64_t groups = number_ceil_div(fibers, most); groups <= most_groups;
       groups = groups < 4 ? groups + 1 : groups * 2) {
    tile.fibers = number_ceil_div(fibers, groups);
    try_edges(p, m, l, &c, tile, &best, cycles);
  }
  return best;
}
