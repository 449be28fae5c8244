#include "data/cells/cells_graphs.h"

#include <stdlib.h>

status cells_by_graphs(const graph *g, const cells_adjacency *a, int32_t count, int32_t *cell) {
  double *weight = calloc((size_t)g->num_graphs + 1, sizeof *weight), all = 0, before = 0;
  int32_t *cell_of = malloc(((size_t)g->num_graphs + 1) * sizeof *cell_of);
  status s = weight && cell_of
                 ? STATUS_OK
                 : status_error(STATUS_CODE_memory, "no memory for %lld graphs", (long long)g->num_graphs);
  for (int64_t v = 0; v < a->num_nodes && !s; v++) {
    weight[g->batch[v]] += a->weight[v];
    all += a->weight[v];
  }
  for (int64_t i = 0; i < g->num_graphs && !s; i++) {
    /* by the middle of the graph, as cells_by_blocks puts nodes */
    const double middle = before + weight[i] / 2;
    cell_of[i] = all > 0 && middle < all ? (int32_t)(middle * count / all) : count - 1;
    before += weight[i];
  }
  for (int64_t v = 0; v < a->num_nodes && !s; v++) cell[v] = cell_of[g->batch[v]];
  free(weight);
  free(cell_of);
  return s;
}
