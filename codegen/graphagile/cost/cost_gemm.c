/* Cycles of Linear layers. In each iteration a block loads some columns of its rows and the same
 * rows of the matrix. */
#include "codegen/graphagile/cost/cost_gemm.h"

#include "codegen/graphagile/cost/cost_blocks.h"
#include "isa/graphagile/timing.h"

#include <math.h>

double graphagile_cost_gemm(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                            graphagile_plan_tile tile) {
  const graphagile_plan_tensor *out = layer->result;
  double p = m->width, rows = (double)tile.rows, fibers = (double)tile.fibers, inner = (double)tile.inner;
  double depth = (double)layer->gemm.matrix.depth, groups = ceil((double)out->fibers / fibers);
  /* on average the last tile of a segment is half full */
  double row_tiles = ceil((double)out->rows / rows) + (double)layer->gemm.segments.count / 2;
  graphagile_cost_blocks b = {.blocks = row_tiles * groups, .count = ceil(depth / (inner * p))};
  double len = depth / b.count;
  rows = (double)out->rows / row_tiles; /* the last tile of a segment is smaller */
  b.fixed = len * fibers * p * 4;
  b.rows = graphagile_cost_bytes(layer->gemm.in, rows, ceil(len / p), p);
  b.cycles = graphagile_timing_gemm_mean(p, (double)tile.rows, len, fibers);
  graphagile_cost_ends(m, layer, rows, fibers, &b);
  return graphagile_cost_of_blocks(m, &b);
}
