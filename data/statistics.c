/* The statistics of a graph: degree distribution, loops, duplicate and reciprocal edges, connected
 * components. */
#include "data/statistics.h"

#include "data/components.h"
#include "data/neighbours.h"
#include "support/number.h"
#include "support/pool_parts.h"
#include "support/progress.h"

#include <stdatomic.h>

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "the graph does not fit into memory");
}

/* Returns the bucket of a degree: 0, 1, 2-3, 4-7, ... */
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

static status collect_degrees(const neighbours *n, arena *a, graph_statistics *out) {
  int64_t *degrees = arena_try_alloc_array(a, (size_t)n->num_nodes, sizeof *degrees);
  if (!degrees) return no_memory();
  for (int64_t i = 0; i < n->num_nodes; i++) {
    degrees[i] = n->in[i + 1] - n->in[i];
    out->isolated += !degrees[i] && n->out[i + 1] == n->out[i];
  }
  RETURN_IF_ERROR(measure_degrees(a, degrees, n->num_nodes, &out->in));
  for (int64_t i = 0; i < n->num_nodes; i++) degrees[i] = n->out[i + 1] - n->out[i];
  return measure_degrees(a, degrees, n->num_nodes, &out->out);
}

typedef struct pair_search {
  const neighbours *of;
  atomic_llong self_loops, reciprocal;
} pair_search;

/* Counts self loops, and edges with a reverse: a target that is also a source of the node. */
static void search_part(void *user, int64_t part) {
  pair_search *p = user;
  const neighbours *n = p->of;
  const int64_t last = pool_parts_begin(n->num_nodes, part + 1);
  int64_t loops = 0, reciprocal = 0;
  for (int64_t node = pool_parts_begin(n->num_nodes, part); node < last; node++) {
    int64_t at = n->in[node];
    const int64_t end = n->in[node + 1];
    for (int64_t i = n->out[node]; i < n->out[node + 1]; i++) {
      const int32_t target = n->targets[i];
      while (at < end && n->sources[at] < target) at++;
      loops += target == node;
      reciprocal += target != node && at < end && n->sources[at] == target;
    }
  }
  atomic_fetch_add(&p->self_loops, loops);
  atomic_fetch_add(&p->reciprocal, reciprocal);
}

static void collect_pairs(const neighbours *n, thread_pool *pool, graph_statistics *out) {
  pair_search p = {.of = n};
  pool_parts_run(pool, n->num_edges, pool_parts_count(n->num_nodes), search_part, &p);
  out->self_loops = p.self_loops;
  out->reciprocal = p.reciprocal;
  out->duplicates = n->duplicates;
}

status statistics_collect(const graph *g, thread_pool *pool, graph_statistics *out) {
  arena *a = arena_create();
  *out = (graph_statistics){0};
  if (g->num_nodes) out->density = (double)g->num_edges / ((double)g->num_nodes * (double)g->num_nodes);
  neighbours n;
  status s = neighbours_find(g, pool, &n);
  if (!s) s = collect_degrees(&n, a, out);
  if (!s) collect_pairs(&n, pool, out);
  if (!s) progress_step("find components", NULL, 0);
  if (!s) s = components_count(&n, a, pool, &out->components, &out->largest_component);
  neighbours_free(&n);
  arena_destroy(a);
  return s;
}
