/* What blocks of any layer have to fit. */
#include "codegen/graphagile/tile/tile_limits.h"

const int64_t graphagile_tile_cuts[GRAPHAGILE_TILE_CUTS] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128};

int64_t graphagile_tile_most_fibers(const graphagile_plan *p, const graphagile_plan_layer *l, int64_t rows) {
  int64_t most = number_min(GRAPHAGILE_PLAN_MAX_FIBERS, p->device->feature_rows / rows);
  bool is_single = graphagile_plan_is_high(l->result) || graphagile_plan_is_high(l->in) ||
                   graphagile_plan_is_high(l->other) || graphagile_plan_is_high(l->addend);
  if (l->bias.fibers) most = number_min(most, p->device->weight_rows);
  for (int i = 0; i < l->num_epilogues; i++) {
    is_single |= graphagile_plan_is_high(l->epilogues[i].other);
    if (l->epilogues[i].row.fibers) most = number_min(most, p->device->weight_rows);
  }
  if (is_single) most = number_min(most, 1);
  if (l->kind == GRAPHAGILE_PLAN_SPDMM && l->values && l->values->width > 1) {
    int64_t columns = number_max(1, l->result->width / l->values->width); /* a head has a load and up to 3 SpDMM */
    most = number_min(most, number_max(1, (GRAPHAGILE_PLAN_MAX_BODY - 8) / 4 * columns / p->device->width));
  }
  return most;
}
