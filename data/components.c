/* Parallel union-find that skips most edges (Sutton, Ben-Nun and Barak 2018, "Afforest"). The first
 * edges of each node connect most of a graph. Nodes of the component that is probably the largest
 * by then skip their remaining edges, because the nodes at the other ends visit these edges. The
 * representative of a component is its smallest node, so results do not depend on the order of the
 * threads. */
#include "data/components.h"

#include "support/number.h"
#include "support/pool_parts.h"

#include <stdatomic.h>

enum { FIRST_EDGES = 2, SAMPLES = 1024 };

typedef struct search {
  const neighbours *of;
  _Atomic int32_t *parent; /* parent[n] <= n; the representative of a component is its own parent */
  int64_t round;           /* index of the edge of each node that is visited; FIRST_EDGES: all remaining edges */
  int32_t large;           /* nodes of this component skip the last round */
} search;

static int32_t get_parent(const search *s, int32_t node) {
  return atomic_load_explicit(&s->parent[node], memory_order_relaxed);
}

/* Merges the components of two nodes. */
static void connect(const search *s, int32_t a, int32_t b) {
  int32_t x = get_parent(s, a), y = get_parent(s, b);
  while (x != y) {
    const int32_t low = x < y ? x : y, high = x < y ? y : x;
    int32_t above = get_parent(s, high);
    if (above == low) return;
    if (above == high && atomic_compare_exchange_strong_explicit(&s->parent[high], &above, low, memory_order_relaxed,
                                                                 memory_order_relaxed))
      return;
    x = get_parent(s, get_parent(s, high));
    y = get_parent(s, low);
  }
}

static void connect_part(void *user, int64_t part) {
  const search *s = user;
  const neighbours *n = s->of;
  const int64_t end = pool_parts_begin(n->num_nodes, part + 1);
  for (int64_t node = pool_parts_begin(n->num_nodes, part); node < end; node++) {
    const int64_t begin = n->out[node] + s->round;
    if (s->round < FIRST_EDGES) {
      if (begin < n->out[node + 1]) connect(s, (int32_t)node, n->targets[begin]);
      continue;
    }
    if (get_parent(s, (int32_t)node) == s->large) continue;
    for (int64_t i = begin; i < n->out[node + 1]; i++) connect(s, (int32_t)node, n->targets[i]);
    for (int64_t i = n->in[node]; i < n->in[node + 1]; i++) connect(s, (int32_t)node, n->sources[i]);
  }
}

/* Makes the representative of its component the parent of every node. */
static void flatten_part(void *user, int64_t part) {
  const search *s = user;
  const int64_t end = pool_parts_begin(s->of->num_nodes, part + 1);
  for (int64_t node = pool_parts_begin(s->of->num_nodes, part); node < end; node++) {
    int32_t root = get_parent(s, (int32_t)node);
    while (get_parent(s, root) != root) root = get_parent(s, root);
    atomic_store_explicit(&s->parent[node], root, memory_order_relaxed);
  }
}

static void start_part(void *user, int64_t part) {
  const search *s = user;
  const int64_t end = pool_parts_begin(s->of->num_nodes, part + 1);
  for (int64_t node = pool_parts_begin(s->of->num_nodes, part); node < end; node++)
    atomic_init(&s->parent[node], (int32_t)node);
}

/* Returns the most frequent component of a sample of the nodes. A wrong guess only costs time. */
static int32_t guess_largest(const search *s) {
  int32_t seen[SAMPLES];
  int32_t best = 0;
  int most = 0;
  for (int i = 0; i < SAMPLES; i++) {
    seen[i] = get_parent(s, (int32_t)(s->of->num_nodes / SAMPLES * i));
    int count = 0;
    for (int k = 0; k <= i && count <= most; k++) count += seen[k] == seen[i];
    if (count > most) {
      most = count;
      best = seen[i];
    }
  }
  return best;
}

status components_count(const neighbours *n, arena *a, thread_pool *pool, int64_t *count, int64_t *largest) {
  const int64_t nodes = n->num_nodes, parts = pool_parts_count(nodes), cost = nodes + n->num_edges;
  search s = {.of = n, .parent = arena_try_alloc_array(a, (size_t)nodes, sizeof *s.parent)};
  int32_t *size = arena_try_alloc_array(a, (size_t)nodes, sizeof *size);
  *count = *largest = 0;
  if (!s.parent || !size) return status_error(STATUS_CODE_memory, "the components do not fit into memory");
  if (!nodes) return STATUS_OK;
  pool_parts_run(pool, cost, parts, start_part, &s);
  for (; s.round < FIRST_EDGES; s.round++) {
    pool_parts_run(pool, cost, parts, connect_part, &s);
    pool_parts_run(pool, cost, parts, flatten_part, &s);
  }
  s.large = guess_largest(&s);
  pool_parts_run(pool, cost, parts, connect_part, &s);
  pool_parts_run(pool, cost, parts, flatten_part, &s);
  for (int32_t node = 0; node < nodes; node++) {
    const int32_t root = get_parent(&s, node);
    *count += root == node;
    *largest = number_max(*largest, ++size[root]);
  }
  return STATUS_OK;
}
