/* Merges the sorted lists of targets and sources of each node. */
#include "data/cells/cells_adjacency.h"

#include "data/neighbours.h"

#include <inttypes.h>
#include <stdlib.h>

/* The smaller of the next elements of two ascending lists; INT32_MAX behind both. */
static int32_t smaller(const int32_t *a, int64_t at_a, int64_t end_a, const int32_t *b, int64_t at_b, int64_t end_b) {
  int32_t x = at_a < end_a ? a[at_a] : INT32_MAX, y = at_b < end_b ? b[at_b] : INT32_MAX;
  return x < y ? x : y;
}

/* Writes the neighbours of a node, or counts them where `ends` is NULL; returns their number. */
static int64_t merge(const neighbours *n, int64_t node, int32_t *ends, int32_t *edges) {
  int64_t out = n->out[node], in = n->in[node], count = 0;
  const int64_t out_end = n->out[node + 1], in_end = n->in[node + 1];
  while (out < out_end || in < in_end) {
    const int32_t next = smaller(n->targets, out, out_end, n->sources, in, in_end);
    int32_t times = 0;
    for (; out < out_end && n->targets[out] == next; out++) times++;
    for (; in < in_end && n->sources[in] == next; in++) times++;
    if (next == node) continue;
    if (ends) {
      ends[count] = next;
      edges[count] = times;
    }
    count++;
  }
  return count;
}

static status fill(const neighbours *n, cells_adjacency *a) {
  const size_t nodes = (size_t)n->num_nodes;
  int64_t all = 0;
  a->begin = malloc((nodes + 1) * sizeof *a->begin);
  a->weight = malloc((nodes + 1) * sizeof *a->weight);
  if (!a->begin || !a->weight)
    return status_error(STATUS_CODE_memory, "no memory for the neighbours of %zu nodes", nodes);
  for (int64_t v = 0; v < n->num_nodes; v++) {
    a->begin[v] = (int32_t)all;
    a->weight[v] = (int32_t)(1 + n->in[v + 1] - n->in[v]);
    all += merge(n, v, NULL, NULL);
    if (all > INT32_MAX)
      return status_error(STATUS_CODE_unsupported, "the nodes have more than %d neighbours together", INT32_MAX);
  }
  a->begin[nodes] = (int32_t)all;
  a->ends = malloc(((size_t)all + 1) * sizeof *a->ends);
  a->edges = malloc(((size_t)all + 1) * sizeof *a->edges);
  if (!a->ends || !a->edges) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " neighbours", all);
  for (int64_t v = 0; v < n->num_nodes; v++) merge(n, v, a->ends + a->begin[v], a->edges + a->begin[v]);
  return STATUS_OK;
}

status cells_adjacency_make(const graph *g, thread_pool *pool, cells_adjacency *out) {
  neighbours n = {0};
  *out = (cells_adjacency){.num_nodes = g->num_nodes};
  status s = neighbours_find(g, pool, &n);
  if (!s) s = fill(&n, out);
  neighbours_free(&n);
  return s;
}

void cells_adjacency_free(cells_adjacency *a) {
  free(a->begin);
  free(a->ends);
  free(a->edges);
  free(a->weight);
  *a = (cells_adjacency){0};
}
