/* Two stable counting sorts, by target and then by source, the second straight into the tensor. */
#include "data/import/edge_pairs.h"

#include <stdlib.h>

/* Where the edges of each node begin. */
static void count_starts(const edge_pair *edges, int64_t count, bool is_by_src, int64_t *starts, int64_t num_nodes) {
  for (int64_t n = 0; n <= num_nodes; n++) starts[n] = 0;
  for (int64_t e = 0; e < count; e++) starts[(is_by_src ? edges[e].src : edges[e].dst) + 1]++;
  for (int64_t n = 0; n < num_nodes; n++) starts[n + 1] += starts[n];
}

static status sort_by_target(edge_pair **edges, int64_t count, int64_t num_nodes, int64_t *starts) {
  edge_pair *sorted = malloc((size_t)count * sizeof *sorted + 1);
  if (!sorted) return status_error(STATUS_CODE_memory, "the edges do not fit into memory");
  count_starts(*edges, count, false, starts, num_nodes);
  for (int64_t e = 0; e < count; e++) sorted[starts[(*edges)[e].dst]++] = (*edges)[e];
  free(*edges);
  *edges = sorted;
  return STATUS_OK;
}

static status add_sorted(const edge_pair *edges, int64_t count, int64_t num_nodes, int64_t *starts, tensor_set *set) {
  void *ends;
  RETURN_IF_ERROR(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (int64_t[]){2, count}, &ends));
  int32_t *src = ends, *dst = src + count;
  count_starts(edges, count, true, starts, num_nodes);
  for (int64_t e = 0; e < count; e++) {
    int64_t at = starts[edges[e].src]++;
    src[at] = edges[e].src;
    dst[at] = edges[e].dst;
  }
  tensor_set_put_metadata_int(set, "num_nodes", num_nodes);
  tensor_set_put_metadata_int(set, "num_edges", count);
  return STATUS_OK;
}

status edge_pairs_finish(edge_pair *edges, int64_t count, int64_t num_nodes, tensor_set *set) {
  int64_t *starts = malloc(((size_t)num_nodes + 1) * sizeof *starts);
  status s = starts ? STATUS_OK : status_error(STATUS_CODE_memory, "the nodes do not fit into memory");
  if (!s) s = sort_by_target(&edges, count, num_nodes, starts);
  if (!s) s = add_sorted(edges, count, num_nodes, starts, set);
  free(starts);
  free(edges);
  return s;
}
