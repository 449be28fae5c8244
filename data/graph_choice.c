/* Chooses edges by type and direction: see graph_choice.h. */
#include "data/graph_choice.h"

#include "support/edge_mode.h"

#include <stdlib.h>

/* The ways of edges by type; those of the last one are the ways of all types from it on. */
static unsigned char *list_ways(const char *mode, int64_t last) {
  unsigned char *ways = malloc((size_t)last + 1);
  if (ways) edge_mode_list_ways(mode, last + 1, ways);
  return ways;
}

int64_t graph_choice_edges(const graph_choice *c, int32_t *src, int32_t *dst, int32_t *base) {
  int64_t last = edge_mode_types(c->mode), at = 0;
  if (last && c->num_edges && !c->type) return -1;
  unsigned char *ways = list_ways(c->mode, last);
  if (!ways) return -1;
  for (int64_t e = 0; e < c->num_edges; e++) {
    unsigned of = ways[last && c->type[e] < last ? c->type[e] : last];
    if (c->src[e] == c->dst[e] && of) of = EDGE_WAY_forward; /* a self loop is its own reverse */
    for (unsigned way = EDGE_WAY_forward; way <= EDGE_WAY_back; way++) {
      if (!(of & way)) continue;
      if (src) src[at] = way == EDGE_WAY_back ? c->dst[e] : c->src[e];
      if (dst) dst[at] = way == EDGE_WAY_back ? c->src[e] : c->dst[e];
      if (base) base[at] = (int32_t)e;
      at++;
    }
  }
  free(ways);
  return at;
}
