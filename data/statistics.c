/* One look at a graph: degree distribution, odd edges, connected components. */
#include "data/statistics.h"
#include "data/csr.h"
#include "support/number.h"

#include <stdlib.h>

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "the graph does not fit into memory");
}

/* The bucket of a degree: 0, 1, 2-3, 4-7, ... */
static int bucket_of(int64_t degree) {
  int bucket = 0;
  while (degree >> bucket) bucket++;
  return bucket < STATISTICS_BUCKETS ? bucket : STATISTICS_BUCKETS - 1;
}

static status measure_degrees(arena *a, const int64_t *degrees, int64_t count, degree_statistics *out) {
  *out = (degree_statistics){0};
  if (!count) return STATUS_OK;
  int64_t total = 0;
  out->least = INT64_MAX;
  for (int64_t n = 0; n < count; n++) {
    total += degrees[n];
    out->least = number_min(out->least, degrees[n]);
    out->most = number_max(out->most, degrees[n]);
    out->buckets[bucket_of(degrees[n])]++;
  }
  out->mean = (double)total / (double)count;
  int64_t *nodes_of = arena_try_alloc_array(a, (size_t)out->most + 1, sizeof *nodes_of);
  if (!nodes_of) return no_memory();
  for (int64_t n = 0; n < count; n++) nodes_of[degrees[n]]++;
  int64_t below = 0;
  while ((below += nodes_of[out->median]) <= (count - 1) / 2) out->median++;
  return STATUS_OK;
}

static status collect_degrees(const graph *g, arena *a, graph_statistics *out) {
  size_t nodes = (size_t)g->num_nodes;
  int64_t *in = arena_try_alloc_array(a, nodes, sizeof *in), *from = arena_try_alloc_array(a, nodes, sizeof *from);
  if (!in || !from) return no_memory();
  for (int64_t e = 0; e < g->num_edges; e++) {
    from[g->src[e]]++;
    in[g->dst[e]]++;
    out->self_loops += g->src[e] == g->dst[e];
  }
  for (int64_t n = 0; n < g->num_nodes; n++) out->isolated += !in[n] && !from[n];
  RETURN_IF_ERROR(measure_degrees(a, in, g->num_nodes, &out->in));
  return measure_degrees(a, from, g->num_nodes, &out->out);
}

static int compare_keys(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Whether a row of sorted keys (target above, type below) holds a target. */
static bool has_target(const uint64_t *row, int64_t count, int32_t target) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (row[middle] >> 32 < (uint64_t)target)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && row[low] >> 32 == (uint64_t)target;
}

/* Duplicates and reverses, by the outgoing edges of each node in sorted order. */
static status collect_pairs(const graph *g, arena *a, graph_statistics *out) {
  csr rows;
  RETURN_IF_ERROR(csr_build(a, g->num_nodes, g->num_edges, g->src, g->dst, &rows));
  uint64_t *keys = arena_try_alloc_array(a, (size_t)g->num_edges, sizeof *keys);
  if (!keys) return no_memory();
  for (int64_t n = 0; n < g->num_nodes; n++) {
    int64_t begin = rows.indptr[n], end = rows.indptr[n + 1];
    for (int64_t i = begin; i < end; i++)
      keys[i] = (uint64_t)rows.indices[i] << 32 | (g->edge_type ? (uint32_t)g->edge_type[rows.edge_id[i]] : 0);
    qsort(keys + begin, (size_t)(end - begin), sizeof *keys, compare_keys);
    for (int64_t i = begin + 1; i < end; i++) out->duplicates += keys[i] == keys[i - 1];
  }
  for (int64_t e = 0; e < g->num_edges; e++) {
    int64_t begin = rows.indptr[g->dst[e]], end = rows.indptr[g->dst[e] + 1];
    out->reciprocal += g->src[e] != g->dst[e] && has_target(keys + begin, end - begin, g->src[e]);
  }
  return STATUS_OK;
}

/* The representative of a node's component; paths are halved on the way. */
static int32_t find_root(int32_t *parent, int32_t n) {
  while (parent[n] != n) n = parent[n] = parent[parent[n]];
  return n;
}

static status collect_components(const graph *g, arena *a, graph_statistics *out) {
  size_t nodes = (size_t)g->num_nodes;
  int32_t *parent = arena_try_alloc_array(a, nodes, sizeof *parent);
  int64_t *size = arena_try_alloc_array(a, nodes, sizeof *size);
  if (!parent || !size) return no_memory();
  for (int32_t n = 0; n < g->num_nodes; n++) parent[n] = n;
  for (int64_t e = 0; e < g->num_edges; e++) {
    int32_t x = find_root(parent, g->src[e]), y = find_root(parent, g->dst[e]);
    if (x < y)
      parent[y] = x;
    else
      parent[x] = y;
  }
  for (int32_t n = 0; n < g->num_nodes; n++) {
    int32_t root = find_root(parent, n);
    out->components += size[root] == 0;
    size[root]++;
    out->largest_component = number_max(out->largest_component, size[root]);
  }
  return STATUS_OK;
}

status statistics_collect(const graph *g, graph_statistics *out) {
  arena *a = arena_create();
  *out = (graph_statistics){0};
  if (g->num_nodes) out->density = (double)g->num_edges / ((double)g->num_nodes * (double)g->num_nodes);
  status s = collect_degrees(g, a, out);
  if (!s) s = collect_pairs(g, a, out);
  if (!s) s = collect_components(g, a, out);
  arena_destroy(a);
  return s;
}
