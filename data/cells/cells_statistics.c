#include "data/cells/cells_statistics.h"

#include "data/neighbours.h"
#include "support/number.h"
#include "support/progress.h"

#include <stdlib.h>

/* The edges into nodes are grouped by the rank that owns the node: nodes in the order of their cells. */
typedef struct measuring {
  const graph *graph;
  const cells *cells;
  neighbours in;      /* of each node: the sources of its edges */
  int64_t *nodes;     /* [num_nodes] in the order of cells */
  int64_t *begin;     /* [cells + 1] of each cell in `nodes` */
  int32_t *last_rank; /* [num_nodes] 1 + the last rank that counted the node as a ghost */
} measuring;

static status sort_nodes(measuring *m) {
  const cells *c = m->cells;
  m->nodes = malloc(((size_t)c->num_nodes + 1) * sizeof *m->nodes);
  m->begin = calloc((size_t)c->count + 2, sizeof *m->begin);
  m->last_rank = malloc(((size_t)c->num_nodes + 1) * sizeof *m->last_rank);
  if (!m->nodes || !m->begin || !m->last_rank)
    return status_error(STATUS_CODE_memory, "no memory to measure the cells of %lld nodes", (long long)c->num_nodes);
  for (int64_t v = 0; v < c->num_nodes; v++) m->begin[c->cell[v] + 2]++;
  for (int32_t k = 2; k <= c->count + 1; k++) m->begin[k] += m->begin[k - 1];
  for (int64_t v = 0; v < c->num_nodes; v++) m->nodes[m->begin[c->cell[v] + 1]++] = v;
  return STATUS_OK;
}

/* Counts the ghosts of the nodes with the numbers begin .. end - 1 and their edges. */
static int64_t count_ghosts(measuring *m, int32_t ranks, int32_t rank, int64_t begin, int64_t end, int64_t *edges) {
  int64_t ghosts = 0;
  for (int64_t i = begin; i < end; i++) {
    const int64_t v = m->nodes[i];
    for (int64_t e = m->in.in[v]; e < m->in.in[v + 1]; e++) {
      const int32_t u = m->in.sources[e];
      if (cells_rank_of(m->cells->cell[u], m->cells->count, ranks) == rank || m->last_rank[u] == rank + 1) continue;
      m->last_rank[u] = rank + 1;
      ghosts++;
    }
    *edges += m->in.in[v + 1] - m->in.in[v];
  }
  return ghosts;
}

static void measure_ranks(measuring *m, int32_t ranks, cells_of_ranks *out) {
  const cells *c = m->cells;
  int64_t all = 0, most_edges = 0, most_ghosts = 0;
  *out = (cells_of_ranks){.ranks = ranks};
  for (int64_t v = 0; v < c->num_nodes; v++) m->last_rank[v] = 0;
  for (int32_t cell = 0, rank = 0; rank < ranks; rank++) {
    const int64_t begin = m->begin[cell];
    while (cell < c->count && cells_rank_of(cell, c->count, ranks) == rank) cell++;
    const int64_t end = m->begin[cell];
    int64_t edges = 0, ghosts = count_ghosts(m, ranks, rank, begin, end, &edges);
    all += ghosts;
    most_edges = number_max(most_edges, edges);
    most_ghosts = number_max(most_ghosts, ghosts);
  }
  const double columns_from = 2.0 * (ranks - 1) / ranks; /* rows per node: transpositions to columns and back */
  out->ghosts = c->num_nodes ? (double)all / (double)c->num_nodes : 0;
  out->most_ghosts = c->num_nodes ? (double)most_ghosts * ranks / (double)c->num_nodes : 0;
  out->most_edges = m->graph->num_edges ? (double)most_edges * ranks / (double)m->graph->num_edges : 1;
  out->by_columns = out->ghosts > columns_from;
}

status cells_measure_ghosts(const graph *g, const cells *c, int32_t ranks, double *ghosts) {
  const size_t words = ((size_t)ranks + 63) / 64;
  uint64_t *reads = calloc((size_t)g->num_nodes * words + 1, sizeof *reads); /* bits: ranks that read a node's row */
  if (!reads) return status_error(STATUS_CODE_memory, "no memory to count the ghosts of %d ranks", ranks);
  int64_t count = 0;
  for (int64_t e = 0; e < g->num_edges; e++) {
    const int32_t from = cells_rank_of(c->cell[g->src[e]], c->count, ranks);
    const int32_t to = cells_rank_of(c->cell[g->dst[e]], c->count, ranks);
    uint64_t *word = &reads[(size_t)g->src[e] * words + (size_t)to / 64];
    const uint64_t bit = UINT64_C(1) << (to % 64);
    count += from != to && !(*word & bit);
    *word |= bit;
  }
  free(reads);
  *ghosts = g->num_nodes ? (double)count / (double)g->num_nodes : 0;
  return STATUS_OK;
}

status cells_measure(const graph *g, const cells *c, thread_pool *pool, cells_statistics *out) {
  measuring m = {.graph = g, .cells = c};
  *out = (cells_statistics){.least_nodes = INT64_MAX};
  progress_step("count ghosts", NULL, 0);
  status s = neighbours_find(g, pool, &m.in);
  if (!s) s = sort_nodes(&m);
  for (int64_t e = 0; e < g->num_edges; e++) out->cut += c->cell[g->src[e]] != c->cell[g->dst[e]];
  for (int32_t k = 0; !s && k < c->count; k++) {
    out->least_nodes = number_min(out->least_nodes, m.begin[k + 1] - m.begin[k]);
    out->most_nodes = number_max(out->most_nodes, m.begin[k + 1] - m.begin[k]);
  }
  for (int32_t ranks = 2; !s && ranks <= c->count; ranks *= 2) measure_ranks(&m, ranks, &out->of[out->count++]);
  neighbours_free(&m.in);
  free(m.nodes);
  free(m.begin);
  free(m.last_rank);
  return s;
}
