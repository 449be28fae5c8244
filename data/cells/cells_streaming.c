#include "data/cells/cells_streaming.h"

#include <stdlib.h>

typedef struct stream {
  const cells_adjacency *graph;
  int32_t count, *cell;
  double room;      /* of a cell */
  double *load;     /* [count] weight of the nodes of each cell */
  int64_t *edges;   /* [count] edges between the node and each cell; 0 except for `touched` */
  int32_t *touched; /* [count] cells with such edges */
} stream;

static int32_t least_loaded(const stream *s) {
  int32_t best = 0;
  for (int32_t c = 1; c < s->count; c++)
    if (s->load[c] < s->load[best]) best = c;
  return best;
}

/* Counts the edges between a node and the cells of the nodes before it; returns the number of cells. */
static int32_t touch(stream *s, int64_t node) {
  const cells_adjacency *a = s->graph;
  int32_t count = 0;
  for (int32_t i = a->begin[node]; i < a->begin[node + 1]; i++) {
    const int32_t c = a->ends[i] < node ? s->cell[a->ends[i]] : -1;
    if (c < 0) continue;
    if (!s->edges[c]) s->touched[count++] = c;
    s->edges[c] += a->edges[i];
  }
  return count;
}

/* The cell with the best score; the least loaded one where no neighbour has a cell with room. */
static int32_t choose(stream *s, int64_t node) {
  const int32_t touched = touch(s, node);
  int32_t best = -1;
  double most = 0;
  for (int32_t i = 0; i < touched; i++) {
    const int32_t c = s->touched[i];
    const double score = (double)s->edges[c] * (1 - s->load[c] / s->room);
    s->edges[c] = 0;
    if (score < most || (score == most && (best < 0 || c > best))) continue;
    most = score;
    best = c;
  }
  return most > 0 ? best : least_loaded(s);
}

status cells_by_streaming(const cells_adjacency *a, int32_t count, int32_t *cell) {
  const double slack = 1.05;
  stream s = {.graph = a, .count = count, .cell = cell};
  s.load = calloc((size_t)count, sizeof *s.load);
  s.edges = calloc((size_t)count, sizeof *s.edges);
  s.touched = malloc((size_t)count * sizeof *s.touched);
  status result =
      s.load && s.edges && s.touched ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for %d cells", count);
  double all = 0;
  for (int64_t v = 0; v < a->num_nodes; v++) all += a->weight[v];
  s.room = slack * all / count;
  for (int64_t v = 0; v < a->num_nodes && !result; v++) {
    cell[v] = choose(&s, v);
    s.load[cell[v]] += a->weight[v];
  }
  free(s.load);
  free(s.edges);
  free(s.touched);
  return result;
}

void cells_by_blocks(const cells_adjacency *a, int32_t count, int32_t *cell) {
  double all = 0, before = 0;
  for (int64_t v = 0; v < a->num_nodes; v++) all += a->weight[v];
  for (int64_t v = 0; v < a->num_nodes; v++) {
    /* by the middle of the node, so that a hub does not push the others away */
    const double middle = before + (double)a->weight[v] / 2;
    cell[v] = (int32_t)(middle * count / all);
    before += a->weight[v];
  }
}
