/* Searches breadth first from each node: see graph_power.h. */
#include "data/graph_power.h"

#include "support/arena.h"

#include <stdbool.h>

/* The edges of the graph by destination, and what a search needs. */
typedef struct search {
  int64_t *in_ptr;  /* [num_nodes + 1] */
  int32_t *in_src;  /* [num_edges] */
  int32_t *met_for; /* [num_nodes] the last node whose search met this one, plus 1 */
  int32_t *queue;   /* [num_nodes] nodes that this search has met */
} search;

static void sort_edges(const graph_power *p, search *s) {
  for (int64_t e = 0; e < p->num_edges; e++) s->in_ptr[p->dst[e] + 1]++;
  for (int64_t n = 0; n < p->num_nodes; n++) s->in_ptr[n + 1] += s->in_ptr[n];
  for (int64_t e = 0; e < p->num_edges; e++) s->in_src[s->in_ptr[p->dst[e]]++] = p->src[e];
  for (int64_t n = p->num_nodes; n > 0; n--) s->in_ptr[n] = s->in_ptr[n - 1];
  s->in_ptr[0] = 0;
}

/* Fills the queue with node n and the sources of its edges; returns their number. */
static int64_t meet(const graph_power *p, search *s, int32_t n) {
  int64_t first = 0, count = 1;
  s->queue[0] = n;
  s->met_for[n] = n + 1;
  for (int64_t length = 0; length < p->most && first < count; length++)
    for (int64_t end = count; first < end; first++)
      for (int64_t i = s->in_ptr[s->queue[first]]; i < s->in_ptr[s->queue[first] + 1]; i++) {
        if (s->met_for[s->in_src[i]] == n + 1) continue;
        s->met_for[s->in_src[i]] = n + 1;
        s->queue[count++] = s->in_src[i];
      }
  return count - 1;
}

int64_t graph_power_edges(const graph_power *p, int32_t *src, int32_t *dst) {
  arena *a = arena_create();
  search s = {
      .in_ptr = arena_try_alloc_array(a, (size_t)p->num_nodes + 1, sizeof *s.in_ptr),
      .in_src = arena_try_alloc_array(a, (size_t)p->num_edges, sizeof *s.in_src),
      .met_for = arena_try_alloc_array(a, (size_t)p->num_nodes, sizeof *s.met_for),
      .queue = arena_try_alloc_array(a, (size_t)p->num_nodes, sizeof *s.queue),
  };
  int64_t total = s.in_ptr && s.in_src && s.met_for && s.queue ? 0 : -1;
  if (!total) sort_edges(p, &s);
  for (int64_t n = 0; total >= 0 && total <= INT32_MAX && n < p->num_nodes; n++) {
    int64_t count = meet(p, &s, (int32_t)n);
    for (int64_t i = 0; src && i < count; i++) {
      src[total + i] = s.queue[i + 1];
      dst[total + i] = (int32_t)n;
    }
    total += count;
  }
  arena_destroy(a);
  return total;
}
