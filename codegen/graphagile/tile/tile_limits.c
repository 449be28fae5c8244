/* Limits that the blocks of any layer have to keep. */
#include "codegen/graphagile/tile/tile_limits.h"

const int64_t graphagile_tile_cuts[GRAPHAGILE_TILE_CUTS] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128};

/* Whether a tensor of the layer is so high that each fiber needs a load of its own. */
static bool has_high_tensor(const graphagile_plan_layer *l) {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OWN_OPERANDS];
  int count = graphagile_plan_own_operands(l, operands);
  bool is_high = graphagile_plan_is_high(l->result);
  for (int i = 0; i < count; i++) is_high |= graphagile_plan_is_high(operands[i]);
  return is_high;
}

/* Whether blocks load a constant row, which takes one row of a Weight Buffer for each fiber. */
static bool has_row(const graphagile_plan_layer *l) {
  const graphagile_plan_start *start = graphagile_plan_start_of(l);
  bool has_row = (start && start->bias.fibers) || (l->kind == GRAPHAGILE_PLAN_vadd && l->vadd.row.fibers);
  for (int i = 0; i < l->num_epilogues; i++) has_row |= l->epilogues[i].row.fibers > 0;
  return has_row;
}

/* The most fibers whose heads fit the body of a LOOP: each head has a load and up to 3 SPDMM. */
static int64_t most_with_heads(const graphagile_plan *p, const graphagile_plan_layer *l, int64_t heads) {
  enum { OF_HEAD = 4, OF_REST = 8 };
  int64_t columns = number_max(1, l->result->width / heads);
  return number_max(1, (GRAPHAGILE_PLAN_MAX_BODY - OF_REST) / OF_HEAD * columns / p->device->width);
}

int64_t graphagile_tile_most_fibers(const graphagile_plan *p, const graphagile_plan_layer *l, int64_t rows) {
  int64_t most = graphagile_plan_most_fibers(p->device, NULL, rows);
  if (has_row(l)) most = number_min(most, p->device->weight_rows);
  if (has_high_tensor(l)) most = number_min(most, 1);
  if (l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.values && l->spdmm.values->width > 1)
    most = number_min(most, most_with_heads(p, l, l->spdmm.values->width));
  return most;
}
