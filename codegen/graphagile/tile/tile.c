/* Chooses the tiles of all layers; those of element-wise layers are chosen here, the others in
 * files of their own. */
#include "codegen/graphagile/tile/tile.h"

#include "codegen/graphagile/cost/cost_cut.h"
#include "codegen/graphagile/tile/tile_edges.h"
#include "codegen/graphagile/tile/tile_gemm.h"
#include "codegen/graphagile/tile/tile_limits.h"
#include "codegen/graphagile/tile/tile_shape.h"

static void choose_edges(graphagile_plan *p, const graphagile_cost_machine *m, graphagile_plan_layer *l) {
  graphagile_partition_shape shape = graphagile_plan_edges_of(l)->shape->shape;
  graphagile_plan_layer *before = l->kind == GRAPHAGILE_PLAN_spdmm ? l->spdmm.before : NULL;
  l->tile = graphagile_tile_edges(p, m, l, shape, &l->cycles);
  if (!before) return;
  before->tile = l->tile;
  before->spdmm.edges->shape->shape = graphagile_cost_shape_before(m, &before->spdmm, shape, l->tile);
}

/* Cuts the rows so that each PE has about four blocks, each as high as the buffers allow. */
static void choose_rows(graphagile_plan *p, graphagile_plan_layer *l) {
  const graphagile_device *d = p->device;
  int64_t rows = number_max(1, l->result->rows);
  int64_t fibers = number_max(1, number_min(l->result->fibers, graphagile_tile_most_fibers(p, l, 1)));
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

bool graphagile_tile_layers(graphagile_plan *p) {
  graphagile_cost_machine m = graphagile_cost_machine_of(p->options);
  graphagile_tile_shapes(p, &m);
  for (size_t i = 0; i < p->layers.count && !p->failed; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    switch (l->kind) {
    case GRAPHAGILE_PLAN_gemm:
      graphagile_tile_gemm(p, &m, l);
      l->gemm.matrix.group = l->tile.fibers;
      break;
    case GRAPHAGILE_PLAN_spdmm:
    case GRAPHAGILE_PLAN_sddmm: choose_edges(p, &m, l); break;
    case GRAPHAGILE_PLAN_vadd:
    case GRAPHAGILE_PLAN_map: choose_rows(p, l); break;
    case GRAPHAGILE_PLAN_values: choose_values(p, l); break;
    case GRAPHAGILE_PLAN_host: break;
    }
  }
  graphagile_tile_other_shapes(p);
  return !p->failed;
}
