/* Estimates the cycles of layers from the edges that there are, for an order of their rows. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_ESTIMATE_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_ESTIMATE_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan.h"

/* The edges of each subshard by pipeline and bank. */
typedef struct graphagile_permute_cells {
  int64_t shards, tiles; /* of destinations, of sources */
  int pipelines, banks;
  double scale;    /* edges per edge that was counted */
  uint32_t *count; /* [shards][tiles][pipelines + banks]: edges by destination, then by source */
} graphagile_permute_cells;

/* Counts about `most` edges of a list, without its self loops; the list has src_place and dst_place
 * of the order to try. */
graphagile_permute_cells graphagile_permute_count(arena *a, const program_edge_list *list,
                                                  graphagile_partition_shape shape, int width, int64_t most);

/* Whether the edges are spread over shards, subshards, pipelines and banks as evenly as those of a
 * random graph, so that no order is much better. */
bool graphagile_permute_is_even(const graphagile_permute_cells *c);

/* The cycles of an Aggregate or Vector-Inner layer with so many edges in each subshard. */
double graphagile_permute_estimate(arena *a, const graphagile_cost_machine *m, const graphagile_plan_layer *l,
                                   const graphagile_permute_cells *c);

#endif
