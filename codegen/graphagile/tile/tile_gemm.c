/* Tiles of Linear layers: rows and fibers of a block's result and the input fibers that it loads
 * at a time, chosen by the cost model or as in the paper. */
#include "codegen/graphagile/tile/tile_gemm.h"

#include "codegen/graphagile/cost/cost_gemm.h"
#include "codegen/graphagile/tile/tile_limits.h"

/* The best number of input fibers at a time for blocks of tile.rows rows and tile.fibers fibers;
 * 0 where none fits. */
static int64_t choose_inner(const graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                            graphagile_plan_tile tile, double *cycles) {
  int64_t fibers = number_max(1, number_ceil_div(l->gemm.matrix.depth, p->device->width));
  int64_t depth = graphagile_plan_most_depth(p->device, tile.fibers) - l->gemm.matrix.head, best = 0;
  int64_t most = number_min(graphagile_plan_most_fibers(p->device, l->gemm.in, tile.rows), depth / p->device->width);
  most = number_min(most, fibers);
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

/* The paper's tiles: k row blocks of equal height for each PE, with the smallest k for which they fit
 * a buffer, one output fiber, one input fiber at a time. A last input fiber that is not whole is
 * loaded together with the one before, so two must fit; blocks are then half as high, and have two
 * output fibers so that there are not more of them. */
static void paper_gemm(const graphagile_plan *p, graphagile_plan_layer *l) {
  const graphagile_device *d = p->device;
  bool has_rest = l->gemm.matrix.depth > d->width && l->gemm.matrix.depth % d->width;
  int64_t rows = number_max(1, l->result->rows),
          limit = number_max(1, has_rest ? d->feature_rows / 2 : d->feature_rows);
  int64_t blocks = d->num_pes * number_ceil_div(rows, d->num_pes * limit);
  bool has_room = limit * 2 <= d->feature_rows && 4 * d->width <= d->weight_rows;
  l->tile.rows = number_min(number_round_up(number_ceil_div(rows, blocks), d->width), limit);
  l->tile.fibers = has_room && l->result->fibers > 1 && rows > d->num_pes * limit ? 2 : 1;
  l->tile.inner = 1;
}

void graphagile_tile_gemm(graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l) {
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
    if (at_once > graphagile_tile_most_fibers(p, l, 1)) continue;
    try_gemm(p, m, l, number_min(limit, number_round_up(rows, d->width)), at_once);
    for (int c = 0; c < GRAPHAGILE_TILE_CUTS && p->options->balance; c++) {
      int64_t tile = number_round_up(number_ceil_div(rows, d->num_pes * graphagile_tile_cuts[c]), d->width);
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
