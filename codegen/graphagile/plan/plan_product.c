/* Divides the rows of a block's sums for their product. */
#include "codegen/graphagile/plan/plan_product.h"

bool graphagile_plan_product_has_operands(const graphagile_plan_layer *product) {
  return product->num_epilogues > 0 || product->gemm.start.addend;
}

int64_t graphagile_plan_product_rows(const graphagile_device *d, const graphagile_plan_layer *layer,
                                     graphagile_plan_tile tile) {
  enum { PARTS = 4, LEAST_ROWS = 64 };
  const graphagile_plan_layer *product = layer->spdmm.product;
  const int64_t most = d->feature_rows / product->result->fibers / d->width * d->width;
  const int64_t shards = number_ceil_div(layer->spdmm.edges->list->to_rows, tile.rows);
  const bool is_pair = tile.targets > 1, runs_at_once = number_ceil_div(shards, is_pair ? 2 : 1) <= d->num_pes;
  if (most < 1) return 0;
  int64_t parts = number_ceil_div(tile.rows, most);
  /* with two shards the operands take the place of the sums */
  if (is_pair && graphagile_plan_product_has_operands(product)) return parts > 1 ? 0 : tile.rows;
  if (runs_at_once && !is_pair) parts = number_max(parts, number_min(PARTS, tile.rows / LEAST_ROWS));
  return number_round_up(number_ceil_div(tile.rows, number_max(1, parts)), d->width);
}

static int count_relus(const graphagile_plan_function *functions, int count) {
  int relus = 0;
  for (int i = 0; i < count; i++) relus += functions[i].function == GRAPHAGILE_FUNCTION_relu;
  return relus;
}

int graphagile_plan_relus(const graphagile_plan_layer *l) {
  if (!graphagile_plan_product_of(l)) return 0;
  int relus = count_relus(l->functions, l->num_functions);
  for (int i = 0; i < l->num_epilogues; i++)
    relus += count_relus(l->epilogues[i].functions, l->epilogues[i].num_functions);
  return relus;
}
