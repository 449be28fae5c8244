/* Partitions and tiles: for each edge list one shape, for each layer one tile, the cheapest of a few dozen by the cost model that fit the buffers. */
#include "codegen/graphagile/cost/cost.h"
#include "codegen/graphagile/plan/plan_fusion_cost.h"
#include "support/number.h"

#include <math.h>

static const int64_t cuts[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128};
enum { CUTS = sizeof cuts / sizeof cuts[0] };

/* Whether fibers lie so far apart in DDR that a load or store can only move one at a time. */
static bool is_high(const graphagile_plan_tensor *t) {
  return t && t->stride >= GRAPHAGILE_PLAN_MAX_STRIDE;
}

/* Fibers that plain rows in a Weight Buffer, strides and LOOP bodies allow at a time. */
static int64_t most_fibers(const graphagile_plan *p, const graphagile_plan_layer *l, int64_t rows) {
  int64_t most = number_min(GRAPHAGILE_PLAN_MAX_FIBERS, p->device->feature_rows / rows);
  bool is_single = is_high(l->result) || is_high(l->in) || is_high(l->other) || is_high(l->addend);
  if (l->bias.fibers) most = number_min(most, p->device->weight_rows);
  for (int i = 0; i < l->num_epilogues; i++) {
    is_single |= is_high(l->epilogues[i].other);
    if (l->epilogues[i].row.fibers) most = number_min(most, p->device->weight_rows);
  }
  if (is_single) most = number_min(most, 1);
  if (l->kind == GRAPHAGILE_PLAN_SPDMM && l->values && l->values->width > 1) {
    int64_t columns = number_max(1, l->result->width / l->values->width); /* a head has a load and up to 3 SpDMM */
    most = number_min(most, number_max(1, (GRAPHAGILE_PLAN_MAX_BODY - 8) / 4 * columns / p->device->width));
  }
  return most;
}

/* ---- Linear ---- */

/* The best number of input fibers at a time for blocks of so many rows and fibers; 0 where nothing fits. */
static int64_t choose_inner(const graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                            graphagile_plan_tile tile, double *cycles) {
  int64_t fibers = number_max(1, number_ceil_div(l->matrix.depth, p->device->width));
  int64_t most = number_min(p->device->feature_rows / tile.rows,
                            (p->device->weight_rows / tile.fibers - l->matrix.head) / p->device->width);
  int64_t best = 0;
  most = number_min(number_min(most, fibers), GRAPHAGILE_PLAN_MAX_FIBERS);
  if (is_high(l->in)) most = number_min(most, 1);
  if (most < 1) return 0;
  int64_t chunks = number_ceil_div(fibers, most);
  for (int64_t n = chunks; n < chunks + 4 && n <= fibers; n++) {
    tile.inner = number_ceil_div(fibers, n);
    double cost = graphagile_cost_gemm(m, l, tile);
    if (best && cost >= *cycles) continue;
    best = tile.inner;
    *cycles = cost;
  }
  return best;
}

static void try_gemm(const graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l, int64_t rows,
                     int64_t fibers) {
  double cycles = 0;
  graphagile_plan_tile tile = {.rows = rows, .fibers = fibers};
  if (rows < 1 || fibers < 1 || rows * fibers > p->device->feature_rows) return;
  tile.inner = choose_inner(p, m, l, tile, &cycles);
  if (!tile.inner || (l->tile.inner && cycles >= l->cycles)) return;
  l->tile = tile;
  l->cycles = cycles;
}

/* The paper's: 8 k balanced row blocks, one output fiber, one input fiber at a time. Where the last input fiber is not whole it is joined to the one before: two fit, and two
 * output fibers make as many blocks. */
static void paper_gemm(const graphagile_plan *p, graphagile_plan_layer *l) {
  const graphagile_device *d = p->device;
  bool has_rest = l->matrix.depth > d->width && l->matrix.depth % d->width;
  int64_t rows = number_max(1, l->result->rows),
          limit = number_max(1, has_rest ? d->feature_rows / 2 : d->feature_rows);
  int64_t blocks = d->num_pes * number_ceil_div(rows, d->num_pes * limit);
  bool has_room = limit * 2 <= d->feature_rows && 4 * d->width <= d->weight_rows;
  l->tile.rows = number_min(number_round_up(number_ceil_div(rows, blocks), d->width), limit);
  l->tile.fibers = has_room && l->result->fibers > 1 && rows > d->num_pes * limit ? 2 : 1;
  l->tile.inner = 1;
}

static void choose_gemm(graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l) {
  const graphagile_device *d = p->device;
  int64_t rows = number_max(1, l->result->rows), fibers = number_max(1, l->result->fibers);
  if (p->options->paper) {
    paper_gemm(p, l);
    return;
  }
  for (int64_t groups = 1; groups <= fibers;
       groups = groups < 4 ? groups + 1 : number_max(groups + 1, groups * 3 / 2)) {
    int64_t at_once = number_ceil_div(fibers, groups), limit = d->feature_rows / at_once;
    limit = limit >= d->width ? limit / d->width * d->width : limit;
    if (at_once > most_fibers(p, l, 1)) continue;
    try_gemm(p, m, l, number_min(limit, number_round_up(rows, d->width)), at_once);
    for (int c = 0; c < CUTS && p->options->balance; c++) {
      int64_t tile = number_round_up(number_ceil_div(rows, d->num_pes * cuts[c]), d->width);
      if (tile <= limit) try_gemm(p, m, l, tile, at_once);
      if (tile <= d->width) break;
    }
  }
  if (!l->tile.inner) try_gemm(p, m, l, 1, 1);
  if (!l->tile.inner)
    graphagile_plan_fail(p, l, DIAG_unsupported,
                         "'%s' needs %d rows of a Weight Buffer for one fiber of its result, '%s' has %d", l->name,
                         d->width, d->name, d->weight_rows);
}

/* ---- edge lists ---- */

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
  if (is_whole && !graphagile_plan_has_one_piece(p, l, shape)) return 0;
  for (int i = 0; i < l->num_links; i++) length += 3 + l->links[i]->num_functions;
  for (int64_t h = 0; h < heads && body <= GRAPHAGILE_PLAN_MAX_BODY; h++) body += length;
  if (body > GRAPHAGILE_PLAN_MAX_BODY) return 0;
  return number_min(of_sources, rows / shape.dst_rows - graphagile_plan_destination_fibers(l));
}

graphagile_plan_tile graphagile_plan_choose_fibers(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const graphagile_plan_layer *l, graphagile_partition_shape shape,
                                                   double *cycles) {
  int64_t most = most_fibers(p, l, number_max(shape.src_rows, shape.dst_rows));
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

static int32_t clamp_rows(const graphagile_plan *p, int64_t rows) {
  rows = rows > p->device->width ? number_round_up(rows, p->device->width) : number_max(1, rows);
  return (int32_t)number_min(rows, p->device->feature_rows);
}

static int32_t paper_rows(const graphagile_plan *p, int64_t rows) {
  enum { SHARDS = 32, SMALLEST = 1024, LARGEST = 16384 };
  return clamp_rows(p, number_min(number_max(number_ceil_div(rows, SHARDS), SMALLEST), LARGEST));
}

enum { MOST_FIBERS = 64, MOST_PARTS = 7, MOST_SIZES = 11 + MOST_PARTS + CUTS };

/* Row counts to try for one side of a shape: what 1, 2, 4, ... fibers at a time leave room for, and even cuts: a few parts, whose blocks take as long, and some for each PE. */
static int candidates(const graphagile_plan *p, int64_t rows, int32_t out[MOST_SIZES]) {
  int count = 0;
  for (int64_t fibers = 1; fibers <= MOST_FIBERS; fibers = fibers < 8 ? fibers + 1 : fibers * 2) {
    int64_t room = p->device->feature_rows / fibers;
    if (room < 1 || (count && room < p->device->width)) break;
    int32_t made = (int32_t)number_min(number_max(1, rows), room);
    if (!count || out[count - 1] != made) out[count++] = made;
  }
  for (int parts = 2; parts <= MOST_PARTS && p->options->balance; parts++) {
    int64_t made = number_round_up(number_ceil_div(number_max(1, rows), parts), p->device->width);
    if (made <= p->device->feature_rows && made > p->device->width) out[count++] = (int32_t)made;
  }
  for (int c = 0; c < CUTS && p->options->balance; c++) {
    int64_t made =
        number_round_up(number_ceil_div(number_max(1, rows), p->device->num_pes * cuts[c]), p->device->width);
    if (made <= p->device->feature_rows) out[count++] = (int32_t)made;
    if (made <= p->device->width) break;
  }
  return count;
}

/* Row counts to try, and what is to be done over them. */
typedef struct shape_search {
  int32_t sources[MOST_SIZES], targets[MOST_SIZES];
  int num_sources, num_targets;
  graphagile_shape_work work;
  graphagile_partition_shape best;
  double cheapest;
} shape_search;

/* From a number of source rows on, one side after the other until nothing is gained. */
static void search_from(const graphagile_plan *p, shape_search *s, int32_t src_rows) {
  enum { ROUNDS = 4 };
  graphagile_partition_shape best = {src_rows, s->targets[0], p->device->edges};
  double cheapest = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    const bool of_targets = !(round & 1);
    double before = cheapest;
    graphagile_partition_shape shape = best;
    for (int i = 0; i < (of_targets ? s->num_targets : s->num_sources); i++) {
      *(of_targets ? &shape.dst_rows : &shape.src_rows) = of_targets ? s->targets[i] : s->sources[i];
      double cost = graphagile_plan_cost_work(&s->work, shape, cheapest);
      if (cost >= cheapest) continue;
      cheapest = cost;
      best = shape;
    }
    if (round > 1 && cheapest >= before) break;
  }
  if (cheapest >= s->cheapest) return;
  s->cheapest = cheapest;
  s->best = best;
}

static void choose_shape(graphagile_plan *p, const graphagile_cost_machine *m, const plan_fusions *fusions,
                         const graphagile_plan_edge_list *e) {
  enum { STEP = 3 };
  graphagile_plan_shape *shared = e->shape;
  const program_edge_list *list = e->list;
  shared->is_chosen = true;
  if (p->options->paper) {
    shared->shape =
        (graphagile_partition_shape){paper_rows(p, list->from_rows), paper_rows(p, list->to_rows), p->device->edges};
    return;
  }
  shape_search s = {.work = graphagile_plan_collect_work(p, m, fusions, shared), .cheapest = INFINITY};
  s.num_sources = candidates(p, list->from_rows, s.sources);
  s.num_targets = candidates(p, list->to_rows, s.targets);
  s.best = (graphagile_partition_shape){s.sources[0], s.targets[0], p->device->edges};
  int starts = graphagile_plan_has_long_fusions(p, fusions, shared) ? (int)number_min(s.num_sources, 2 * STEP + 1) : 1;
  for (int i = 0; i < starts; i += STEP) search_from(p, &s, s.sources[i]);
  shared->shape = s.best;
}

/* Shapes first, then which layers are done in one, by what they cost over them. */
static void choose_shapes(graphagile_plan *p, const graphagile_cost_machine *m) {
  plan_fusions fusions = {0};
  if (p->options->attention && !p->options->paper) fusions = graphagile_plan_find_fusions(p);
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    if ((l->kind == GRAPHAGILE_PLAN_SPDMM || l->kind == GRAPHAGILE_PLAN_SDDMM) && !l->edges->shape->is_chosen)
      choose_shape(p, m, &fusions, l->edges);
  }
  graphagile_plan_apply_fusions(p, &fusions, graphagile_plan_choose_forms(p, m, &fusions));
}

static void choose_edges(graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l) {
  graphagile_partition_shape shape = l->edges->shape->shape;
  l->tile = graphagile_plan_choose_fibers(p, m, l, shape, &l->cycles);
  if (!l->before) return;
  l->before->tile = l->tile;
  l->before->edges->shape->shape = graphagile_cost_shape_before(m, l->before, shape, l->tile);
}

/* ---- element-wise ---- */

/* Tiles for about four blocks per PE, as high as fits. */
static void choose_rows(graphagile_plan *p, graphagile_plan_layer *l) {
  const graphagile_device *d = p->device;
  int64_t rows = number_max(1, l->result->rows);
  int64_t fibers = number_max(1, number_min(l->result->fibers, most_fibers(p, l, 1)));
  int64_t wanted = p->options->balance ? number_ceil_div(rows, (int64_t)d->num_pes * 4) : rows;
  if (p->options->paper) fibers = 1;
  while (fibers > 1 && number_round_up(wanted, d->width) * fibers > d->feature_rows && d->feature_rows / fibers < 256)
    fibers = number_ceil_div(fibers, 2);
  l->tile.rows = number_min(number_round_up(wanted, d->width), d->feature_rows / fibers);
  l->tile.fibers = fibers;
}

static void choose_values(graphagile_plan *p, graphagile_plan_layer *l) {
  int64_t wanted = number_ceil_div(l->result->rows * l->result->width, (int64_t)p->device->num_pes * 4);
  if (!p->options->balance) wanted = l->result->rows;
  l->tile.rows = number_min(number_round_up(number_max(1, wanted), p->device->width), p->device->edges);
  l->tile.fibers = 1;
}

bool graphagile_plan_tiles(graphagile_plan *p) {
  graphagile_cost_machine m = graphagile_cost_machine_of(p->options);
  choose_shapes(p, &m);
  for (size_t i = 0; i < p->layers.count && !p->failed; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    switch (l->kind) {
    case GRAPHAGILE_PLAN_GEMM: choose_gemm(p, &m, l); break;
    case GRAPHAGILE_PLAN_SPDMM:
    case GRAPHAGILE_PLAN_SDDMM: choose_edges(p, &m, l); break;
    case GRAPHAGILE_PLAN_VADD:
    case GRAPHAGILE_PLAN_MAP: choose_rows(p, l); break;
    case GRAPHAGILE_PLAN_VALUES: choose_values(p, l); break;
    }
    l->matrix.group = l->tile.fibers;
  }
  for (size_t i = 0; i < p->edges.count; i++) { /* lists that only values or nothing belong to */
    graphagile_plan_shape *s = p->edges.items[i]->shape;
    const program_edge_list *list = p->edges.items[i]->list;
    if (!s->is_chosen)
      s->shape =
          (graphagile_partition_shape){clamp_rows(p, list->from_rows), clamp_rows(p, list->to_rows), p->device->edges};
    s->is_chosen = true;
  }
  return !p->failed;
}
