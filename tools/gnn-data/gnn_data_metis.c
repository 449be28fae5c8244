/* Calls METIS, or knows none: GNNC_HAS_METIS is 1 where the build found it. */
#include "tools/gnn-data/gnn_data_metis.h"

#if GNNC_HAS_METIS

#include <metis.h>

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "the arrays of cells_adjacency are METIS's");

static status cut_by_metis(const cells_adjacency *a, int32_t count, uint64_t seed, int32_t *cell) {
  idx_t options[METIS_NOPTIONS], nodes = (idx_t)a->num_nodes, constraints = 1, parts = count, cut;
  if (count < 2) { /* METIS divides by zero there */
    for (int64_t v = 0; v < a->num_nodes; v++) cell[v] = 0;
    return STATUS_OK;
  }
  int64_t weight = 0;
  for (int64_t v = 0; v < a->num_nodes; v++) weight += a->weight[v];
  if (weight > INT32_MAX)
    return status_error(STATUS_CODE_unsupported,
                        "METIS takes at most %d nodes and edges together; --method=streaming takes more", INT32_MAX);
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = (idx_t)(seed & INT32_MAX);
  int result = METIS_PartGraphKway(&nodes, &constraints, a->begin, a->ends, a->weight, NULL, NULL, &parts, NULL, NULL,
                                   options, &cut, cell);
  if (result == METIS_OK) return STATUS_OK;
  if (result == METIS_ERROR_MEMORY) return status_error(STATUS_CODE_memory, "METIS has no memory for %d nodes", nodes);
  return status_error(STATUS_CODE_unsupported, "METIS does not cut this graph (its error %d)", result);
}

cells_cutter *gnn_data_metis(void) {
  return cut_by_metis;
}

#else

cells_cutter *gnn_data_metis(void) {
  return NULL;
}

#endif
