/* Sorts edges by two stable sorts, by target and then by source. */
#include "data/import/edge_pairs.h"

#include "data/record_sort.h"
#include "support/huge_pages.h"
#include "support/pool_parts.h"
#include "support/progress.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct writing {
  const edge_pair *edges;
  int64_t count;
  int32_t *src, *dst;
} writing;

static void write_part(void *user, int64_t part) {
  const writing *w = user;
  const int64_t end = pool_parts_begin(w->count, part + 1);
  for (int64_t e = pool_parts_begin(w->count, part); e < end; e++) {
    w->src[e] = w->edges[e].src;
    w->dst[e] = w->edges[e].dst;
  }
}

static status add_sorted(const edge_pair *edges, int64_t count, int64_t num_nodes, thread_pool *pool, tensor_set *set) {
  void *ends;
  RETURN_IF_ERROR(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (int64_t[]){2, count}, &ends));
  writing w = {.edges = edges, .count = count, .src = ends, .dst = (int32_t *)ends + count};
  pool_parts_run(pool, count, pool_parts_count(count), write_part, &w);
  tensor_set_put_metadata_int(set, "num_nodes", num_nodes);
  tensor_set_put_metadata_int(set, "num_edges", count);
  return STATUS_OK;
}

static status sort_edges(edge_pair *edges, int64_t count, int64_t num_nodes, thread_pool *pool) {
  edge_pair *spare = malloc((size_t)count * sizeof *spare + 1);
  if (!spare) return status_error(STATUS_CODE_memory, "the edges do not fit into memory");
  huge_pages_advise(spare, (size_t)count * sizeof *spare);
  record_sort by = {.pool = pool, .count = count, .record_bytes = sizeof *spare, .num_keys = num_nodes};
  progress_step("sort edges", NULL, 0);
  by.key_offset = offsetof(edge_pair, dst);
  status s = record_sort_run(&by, edges, spare, NULL);
  by.key_offset = offsetof(edge_pair, src);
  if (!s) s = record_sort_run(&by, edges, spare, NULL);
  free(spare);
  return s;
}

status edge_pairs_finish(edge_pair *edges, int64_t count, int64_t num_nodes, thread_pool *pool, tensor_set *set) {
  status s = sort_edges(edges, count, num_nodes, pool);
  if (!s) s = add_sorted(edges, count, num_nodes, pool, set);
  free(edges);
  return s;
}
