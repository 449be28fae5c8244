/* Estimates a partition: edges of a random graph fall on subshards, banks and pipelines
 * independently of one another. */
#include "codegen/graphagile/cost/cost_cut.h"

#include "isa/graphagile/timing.h"
#include "support/number.h"

#include <math.h>

/* A piece takes as long as its fullest Update/Reduce pipeline (docs/devices/graphagile.md, level
 * L1). Each of the p / 2 = 8 pipelines gets `mean` edges on average, with variance `mean`; the
 * expected maximum of eight normal variables is 1.42 standard deviations above their mean. */
double graphagile_cost_conflicts(const graphagile_cost_machine *m, double mean, double parts) {
  const double largest_of_8 = 1.4;
  return m->has_conflicts ? largest_of_8 * sqrt(mean * parts) : 0;
}

graphagile_cost_cut graphagile_cost_cut_of(const graphagile_cost_machine *m, const program_edge_list *list,
                                           graphagile_partition_shape shape) {
  double to = (double)list->to_rows, edges = (double)list->edges;
  graphagile_cost_cut c = {.shape = shape,
                           .height = graphagile_cost_min(to, (double)shape.dst_rows),
                           .tiles = ceil((double)list->from_rows / shape.src_rows)};
  double share = c.height / graphagile_cost_max(1, to), density = edges * share / graphagile_cost_max(1, c.tiles);
  /* tiles with at least one edge; edges per tile follow a Poisson distribution */
  c.cells = c.tiles * (m->keeps_empty ? 1 : 1 - exp(-density));
  c.pieces = c.cells + edges * share / shape.max_edges;
  c.per_piece = density * c.tiles / graphagile_cost_max(1, c.pieces);
  double mean = graphagile_timing_edges_mean(m->width, c.per_piece);
  c.cycles = mean + graphagile_cost_conflicts(m, mean, 1);
  return c;
}

graphagile_partition_shape graphagile_cost_shape_before(const graphagile_cost_machine *m,
                                                        const graphagile_plan_spdmm *before,
                                                        graphagile_partition_shape shape, graphagile_plan_tile tile) {
  enum { PIECES = 16 };
  int64_t rows = number_round_up(number_ceil_div(before->edges->list->from_rows, PIECES), m->device->width);
  shape.src_rows = (int32_t)number_max(1, number_min(rows, m->device->feature_rows / number_max(1, tile.fibers)));
  return shape;
}
