/* Chooses one partition shape for each edge list; all layers over the list share it. The search
 * starts at a few numbers of source rows and improves source rows and destination rows in turns
 * (coordinate descent). */
#include "codegen/graphagile/tile/tile_shape.h"

#include "codegen/graphagile/fuse/fuse_attention.h"
#include "codegen/graphagile/tile/tile_limits.h"
#include "codegen/graphagile/tile/tile_product.h"
#include "codegen/graphagile/tile/tile_work.h"

#include <math.h>

static int32_t clamp_rows(const graphagile_plan *p, int64_t rows) {
  rows = rows > p->device->width ? number_round_up(rows, p->device->width) : number_max(1, rows);
  return (int32_t)number_min(rows, p->device->feature_rows);
}

static graphagile_partition_shape shape_of(const graphagile_plan *p, int32_t src_rows, int32_t dst_rows) {
  return (graphagile_partition_shape){.src_rows = src_rows, .dst_rows = dst_rows, .max_edges = p->device->edges};
}

static int32_t paper_rows(const graphagile_plan *p, int64_t rows) {
  enum { SHARDS = 32, SMALLEST = 1024, LARGEST = 16384 };
  return clamp_rows(p, number_min(number_max(number_ceil_div(rows, SHARDS), SMALLEST), LARGEST));
}

enum { MOST_FIBERS = 64, MOST_PARTS = 7, MOST_SIZES = 11 + MOST_PARTS + GRAPHAGILE_TILE_CUTS };

static void add_candidate(int32_t out[MOST_SIZES], int *count, int64_t rows) {
  for (int i = 0; i < *count; i++)
    if (out[i] == rows) return;
  out[(*count)++] = (int32_t)rows;
}

/* Fills `out` with row counts to try for one side of a shape: those that leave room for 1, 2, 4,
 * ... fibers in a buffer, and equal parts: 2 to 7 parts in all, and some parts for each PE.
 * Returns how many there are. */
static int candidates(const graphagile_plan *p, int64_t rows, int32_t out[MOST_SIZES]) {
  int count = 0;
  for (int64_t fibers = 1; fibers <= MOST_FIBERS; fibers = fibers < 8 ? fibers + 1 : fibers * 2) {
    int64_t room = p->device->feature_rows / fibers;
    if (room < 1 || (count && room < p->device->width)) break;
    add_candidate(out, &count, number_min(number_max(1, rows), room));
  }
  for (int parts = 2; parts <= MOST_PARTS && p->options->balance; parts++) {
    int64_t made = number_round_up(number_ceil_div(number_max(1, rows), parts), p->device->width);
    if (made <= p->device->feature_rows && made > p->device->width) add_candidate(out, &count, made);
  }
  for (int c = 0; c < GRAPHAGILE_TILE_CUTS && p->options->balance; c++) {
    int64_t made = number_round_up(number_ceil_div(number_max(1, rows), p->device->num_pes * graphagile_tile_cuts[c]),
                                   p->device->width);
    if (made <= p->device->feature_rows) add_candidate(out, &count, made);
    if (made <= p->device->width) break;
  }
  return count;
}

/* The state of a search: row counts to try, the layers whose cycles are estimated, and the best
 * shape so far. */
typedef struct shape_search {
  int32_t sources[MOST_SIZES], targets[MOST_SIZES];
  int num_sources, num_targets;
  graphagile_tile_work work;
  graphagile_partition_shape best;
  double cheapest;
} shape_search;

/* Where a search begins and how long it goes on: rows of sources; the most rows of both sides; a
 * bound of cycles for all shapes; improvements of one side. */
typedef struct search_range {
  int32_t src_rows, most_rows;
  double limit;
  int rounds;
} search_range;

/* Improves destination rows, then source rows, and so on, until nothing is gained. */
static void search_from(const graphagile_plan *p, shape_search *s, search_range range) {
  graphagile_partition_shape best = shape_of(p, range.src_rows, s->targets[0]);
  double cheapest = range.limit;
  for (int round = 0; round < range.rounds; round++) {
    const bool of_targets = !(round & 1);
    double before = cheapest;
    graphagile_partition_shape shape = best;
    for (int i = 0; i < (of_targets ? s->num_targets : s->num_sources); i++) {
      int32_t rows = of_targets ? s->targets[i] : s->sources[i];
      bool is_known = round && rows == (of_targets ? best.dst_rows : best.src_rows);
      if (rows > range.most_rows || is_known) continue;
      *(of_targets ? &shape.dst_rows : &shape.src_rows) = rows;
      double cost = graphagile_tile_cost_work(&s->work, shape, cheapest);
      if (cost >= cheapest) continue;
      cheapest = cost;
      best = shape;
    }
    if (round && cheapest >= before) break; /* the next round would look at the shapes of the one before */
  }
  if (cheapest >= s->cheapest) return;
  s->cheapest = cheapest;
  s->best = best;
}

/* Searches from shapes whose blocks have room for all fibers of sums that may be multiplied. Fewer
 * source rows or fewer destination rows alone make no room, so other searches do not find them. */
static void search_for_products(const graphagile_plan *p, shape_search *s, const graphagile_fuse_products *products,
                                const graphagile_plan_shape *shared) {
  enum { ROUNDS = 2 };
  const double near = p->options->every_product ? INFINITY : 1.1; /* shapes that may become better than the best one */
  int64_t before = 1;
  for (size_t i = 0; i < products->count; i++) {
    const graphagile_plan_layer *both = &products->items[i].both;
    int64_t fibers = both->result->fibers;
    if (both->spdmm.edges->shape != shared || fibers == before) continue;
    before = fibers;
    int64_t most = number_max(1, p->device->feature_rows / fibers);
    int32_t rows = clamp_rows(p, number_min(both->spdmm.edges->list->from_rows, most));
    search_from(p, s, (search_range){rows, (int32_t)most, near * s->cheapest, ROUNDS});
  }
}

static void choose_shape(graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_fuse_groups *fusions,
                         const graphagile_fuse_products *products, const graphagile_plan_edge_list *e) {
  enum { STEP = 3, ROUNDS = 4 };
  graphagile_plan_shape *shared = e->shape;
  const program_edge_list *list = e->list;
  shared->is_chosen = true;
  if (p->options->paper) {
    shared->shape = shape_of(p, paper_rows(p, list->from_rows), paper_rows(p, list->to_rows));
    return;
  }
  shape_search s = {.work = graphagile_tile_collect_work(p, m, fusions, products, shared), .cheapest = INFINITY};
  s.num_sources = candidates(p, list->from_rows, s.sources);
  s.num_targets = candidates(p, list->to_rows, s.targets);
  s.best = shape_of(p, s.sources[0], s.targets[0]);
  int starts = graphagile_tile_has_long_groups(p, fusions, shared) ? (int)number_min(s.num_sources, 2 * STEP + 1) : 1;
  for (int i = 0; i < starts; i += STEP)
    search_from(p, &s, (search_range){s.sources[i], p->device->feature_rows, INFINITY, ROUNDS});
  search_for_products(p, &s, products, shared);
  shared->shape = s.best;
}

void graphagile_tile_shapes(graphagile_plan *p, const graphagile_cost_machine *m) {
  graphagile_fuse_groups fusions = {0};
  if (p->options->attention && !p->options->paper) fusions = graphagile_fuse_find(p);
  const graphagile_fuse_products products = graphagile_fuse_find_products(p);
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    const graphagile_plan_edge_list *edges = graphagile_plan_has_pieces(l) ? graphagile_plan_edges_of(l) : NULL;
    if (edges && !edges->shape->is_chosen) choose_shape(p, m, &fusions, &products, edges);
  }
  graphagile_fuse_apply(p, &fusions, graphagile_tile_choose_forms(p, m, &fusions));
  graphagile_tile_products(p, m);
}

void graphagile_tile_other_shapes(graphagile_plan *p) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_shape *s = p->edges.items[i]->shape;
    const program_edge_list *list = p->edges.items[i]->list;
    if (!s->is_chosen) s->shape = shape_of(p, clamp_rows(p, list->from_rows), clamp_rows(p, list->to_rows));
    s->is_chosen = true;
  }
}
