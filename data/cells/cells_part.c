/* Ghosts are found from the edges of own nodes. What another rank has as ghosts follows from the same edges: they are
 * in the whole graph, so ranks need not ask one another. */
#include "data/cells/cells_part.h"

#include <stdlib.h>
#include <string.h>

/* What a node is to the rank. */
enum { FOREIGN, INTERIOR, BOUNDARY, GHOST };

typedef struct making {
  const graph *graph;
  const cells *cells;
  cells_part *part;
  bool has_out;    /* the part has edges out of own nodes, too */
  bool has_all;    /* it has all edges */
  char *kind;      /* [num_nodes] */
  int32_t *local;  /* [num_nodes] local number of own nodes and ghosts */
  int64_t *ghosts; /* [ranks + 1] number of ghosts of each rank, then where they begin */
  int64_t *pairs;  /* own nodes that another rank has as ghosts: rank * num_nodes + node, with repeats */
  int64_t num_pairs;
} making;

static status no_memory(const making *m) {
  return status_error(STATUS_CODE_memory, "no memory for the part of rank %d", m->part->rank);
}

static int32_t rank_of(const making *m, int32_t node) {
  return cells_rank_of(m->cells->cell[node], m->cells->count, m->part->ranks);
}

/* Notes that an own node shares an edge with a node of another rank. */
static void add_ghost(making *m, int32_t own, int32_t other) {
  m->kind[own] = BOUNDARY;
  if (m->kind[other] == GHOST) return;
  m->kind[other] = GHOST;
  m->ghosts[rank_of(m, other)]++;
}

static void count_kinds(making *m) {
  cells_part *p = m->part;
  for (int64_t v = 0; v < m->graph->num_nodes; v++) {
    p->num_interior += m->kind[v] == INTERIOR;
    p->num_own += m->kind[v] == INTERIOR || m->kind[v] == BOUNDARY;
    p->num_ghosts += m->kind[v] == GHOST;
  }
}

/* Of a part with all edges: all nodes of other ranks are ghosts, and they have all own nodes as theirs. */
static void classify_all(making *m) {
  cells_part *p = m->part;
  for (int64_t v = 0; v < m->graph->num_nodes; v++) {
    if (m->kind[v] == INTERIOR) {
      m->kind[v] = p->ranks > 1 ? BOUNDARY : INTERIOR;
      continue;
    }
    m->kind[v] = GHOST;
    m->ghosts[rank_of(m, (int32_t)v)]++;
  }
  p->num_edges = m->graph->num_edges;
  count_kinds(m);
}

/* Finds what each node is, and counts edges and pairs. */
static status classify(making *m) {
  const graph *g = m->graph;
  cells_part *p = m->part;
  m->kind = calloc((size_t)g->num_nodes + 1, 1);
  m->local = malloc(((size_t)g->num_nodes + 1) * sizeof *m->local);
  m->ghosts = calloc((size_t)p->ranks + 1, sizeof *m->ghosts);
  if (!m->kind || !m->local || !m->ghosts) return no_memory(m);
  for (int64_t v = 0; v < g->num_nodes; v++)
    if (rank_of(m, (int32_t)v) == p->rank) m->kind[v] = INTERIOR;
  if (m->has_all) {
    classify_all(m);
    return STATUS_OK;
  }
  for (int64_t e = 0; e < g->num_edges; e++) {
    const int32_t u = g->src[e], v = g->dst[e];
    const bool has_u = rank_of(m, u) == p->rank, has_v = rank_of(m, v) == p->rank;
    p->num_edges += has_v || (has_u && m->has_out);
    if (has_u == has_v) continue;
    m->num_pairs += has_u || m->has_out;
    if (has_v || m->has_out) add_ghost(m, has_v ? v : u, has_v ? u : v);
  }
  count_kinds(m);
  return STATUS_OK;
}

/* Gives nodes their local numbers. */
static status number_nodes(making *m) {
  cells_part *p = m->part;
  int64_t interior = 0, boundary = p->num_interior, ghost = p->num_own;
  p->number = malloc(((size_t)(p->num_own + p->num_ghosts) + 1) * sizeof *p->number);
  p->cell = malloc(((size_t)p->num_own + 1) * sizeof *p->cell);
  if (!p->number || !p->cell) return no_memory(m);
  for (int32_t r = 0; r <= p->ranks; r++) {
    const int64_t count = m->ghosts[r];
    m->ghosts[r] = ghost;
    ghost += count;
  }
  for (int64_t v = 0; v < m->graph->num_nodes; v++) {
    int64_t *next = NULL;
    switch (m->kind[v]) {
    case FOREIGN: continue;
    case INTERIOR: next = &interior; break;
    case BOUNDARY: next = &boundary; break;
    case GHOST: next = &m->ghosts[rank_of(m, (int32_t)v)]; break;
    }
    m->local[v] = (int32_t)*next;
    p->number[*next] = v;
    if (m->kind[v] != GHOST) p->cell[*next] = m->cells->cell[v];
    ++*next;
  }
  for (int32_t r = p->ranks; r > 0; r--) m->ghosts[r] = m->ghosts[r - 1]; /* where they begin again */
  m->ghosts[0] = p->num_own;
  return STATUS_OK;
}

static status take_edges(making *m) {
  const graph *g = m->graph;
  cells_part *p = m->part;
  p->edge = malloc(((size_t)p->num_edges + 1) * sizeof *p->edge);
  p->src = malloc(((size_t)p->num_edges + 1) * sizeof *p->src);
  p->dst = malloc(((size_t)p->num_edges + 1) * sizeof *p->dst);
  m->pairs = malloc(((size_t)m->num_pairs + 1) * sizeof *m->pairs);
  if (!p->edge || !p->src || !p->dst || !m->pairs) return no_memory(m);
  int64_t at = 0, pair = 0;
  for (int64_t e = 0; e < g->num_edges; e++) {
    const int32_t u = g->src[e], v = g->dst[e];
    const int32_t of_u = rank_of(m, u), of_v = rank_of(m, v);
    if (m->has_all) {
      p->edge[at] = e;
      p->src[at] = m->local[u];
      p->dst[at++] = m->local[v];
      continue;
    }
    if (of_u == p->rank && of_v != p->rank) m->pairs[pair++] = (int64_t)of_v * g->num_nodes + u;
    if (of_v == p->rank && of_u != p->rank && m->has_out) m->pairs[pair++] = (int64_t)of_u * g->num_nodes + v;
    if (of_v != p->rank && (of_u != p->rank || !m->has_out)) continue;
    p->edge[at] = e;
    p->src[at] = m->local[u];
    p->dst[at++] = m->local[v];
  }
  return STATUS_OK;
}

static int compare_pairs(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorts the pairs by rank and node, and keeps each once. */
static void sort_pairs(making *m) {
  int64_t kept = 0;
  qsort(m->pairs, (size_t)m->num_pairs, sizeof *m->pairs, compare_pairs);
  for (int64_t i = 0; i < m->num_pairs; i++)
    if (!kept || m->pairs[i] != m->pairs[kept - 1]) m->pairs[kept++] = m->pairs[i];
  m->num_pairs = kept;
}

/* The number of pairs from `first` on that belong to a rank. */
static int64_t count_pairs(const making *m, int64_t first, int32_t rank) {
  int64_t end = first;
  while (end < m->num_pairs && m->pairs[end] / m->graph->num_nodes == rank) end++;
  return end - first;
}

static status find_neighbours(making *m) {
  cells_part *p = m->part;
  int64_t pair = 0;
  sort_pairs(m);
  p->neighbours = calloc((size_t)p->ranks, sizeof *p->neighbours);
  if (!p->neighbours) return no_memory(m);
  for (int32_t r = 0; r < p->ranks; r++) {
    cells_neighbour n = {.rank = r, .first_received = m->ghosts[r]};
    n.num_sent = m->has_all && r != p->rank ? p->num_own : count_pairs(m, pair, r);
    n.num_received = m->ghosts[r + 1] - m->ghosts[r];
    if (m->has_all ? r == p->rank : !n.num_sent && !n.num_received) continue;
    n.sent = malloc(((size_t)n.num_sent + 1) * sizeof *n.sent);
    if (!n.sent) return no_memory(m);
    for (int64_t i = 0; i < n.num_sent; i++)
      n.sent[i] = m->has_all ? (int32_t)i : m->local[m->pairs[pair++] % m->graph->num_nodes];
    p->neighbours[p->num_neighbours++] = n;
  }
  return STATUS_OK;
}

/* The neighbour that owns a ghost. */
static cells_neighbour *neighbour_of(const making *m, const int32_t *place, int32_t ghost) {
  return &m->part->neighbours[place[rank_of(m, (int32_t)m->part->number[ghost])]];
}

/* Lists the edges between this rank and its neighbours, which are in the order of the graph. */
static status list_cut_edges(const making *m, const int32_t *place) {
  cells_part *p = m->part;
  for (int64_t e = 0; e < p->num_edges; e++) {
    if (p->src[e] >= p->num_own) neighbour_of(m, place, p->src[e])->num_edges_sent++;
    if (p->dst[e] >= p->num_own) neighbour_of(m, place, p->dst[e])->num_edges_received++;
  }
  for (int32_t i = 0; i < p->num_neighbours; i++) {
    cells_neighbour *n = &p->neighbours[i];
    n->edges_sent = malloc(((size_t)n->num_edges_sent + 1) * sizeof *n->edges_sent);
    n->edges_received = malloc(((size_t)n->num_edges_received + 1) * sizeof *n->edges_received);
    if (!n->edges_sent || !n->edges_received) return no_memory(m);
    p->num_edges_received += n->num_edges_received;
    n->num_edges_sent = n->num_edges_received = 0;
  }
  for (int64_t e = 0; e < p->num_edges; e++) {
    cells_neighbour *from = p->src[e] >= p->num_own ? neighbour_of(m, place, p->src[e]) : NULL;
    cells_neighbour *to = p->dst[e] >= p->num_own ? neighbour_of(m, place, p->dst[e]) : NULL;
    if (from) from->edges_sent[from->num_edges_sent++] = (int32_t)e;
    if (to) to->edges_received[to->num_edges_received++] = (int32_t)e;
  }
  return STATUS_OK;
}

static status find_cut_edges(const making *m) {
  if (!m->has_out) return STATUS_OK;
  int32_t *place = calloc((size_t)m->part->ranks, sizeof *place);
  if (!place) return no_memory(m);
  for (int32_t i = 0; i < m->part->num_neighbours; i++) place[m->part->neighbours[i].rank] = i;
  status s = list_cut_edges(m, place);
  free(place);
  return s;
}

/* Groups own nodes by cell. */
static status list_cells(making *m) {
  cells_part *p = m->part;
  const int32_t count = m->cells->count;
  int64_t *next = calloc((size_t)count + 2, sizeof *next);
  p->cells = calloc((size_t)p->ranks + 1, sizeof *p->cells);
  p->cell_ptr = calloc((size_t)count + 1, sizeof *p->cell_ptr);
  p->cell_nodes = malloc(((size_t)p->num_own + 1) * sizeof *p->cell_nodes);
  status s = next && p->cells && p->cell_ptr && p->cell_nodes ? STATUS_OK : no_memory(m);
  for (int32_t c = 0; c < count && !s; c++) p->cells[cells_rank_of(c, count, p->ranks) + 1] = c + 1;
  for (int64_t n = 0; n < p->num_own && !s; n++) next[p->cell[n] + 1]++;
  for (int32_t c = 0; c < count && !s; c++) p->cell_ptr[c + 1] = next[c + 1] += next[c];
  for (int64_t v = 0; v < m->graph->num_nodes && !s; v++)
    if (rank_of(m, (int32_t)v) == p->rank) p->cell_nodes[next[m->cells->cell[v]]++] = m->local[v];
  free(next);
  return s;
}

status cells_part_make(const graph *g, const cells *c, int32_t rank, int32_t ranks, cells_edges edges,
                       cells_part *out) {
  making m = {
      .graph = g, .cells = c, .part = out, .has_out = edges == CELLS_EDGES_both, .has_all = edges == CELLS_EDGES_all};
  *out = (cells_part){.rank = rank, .ranks = ranks, .has_all_edges = m.has_all};
  status s = classify(&m);
  if (!s) s = number_nodes(&m);
  if (!s) s = take_edges(&m);
  if (!s) s = find_neighbours(&m);
  if (!s) s = find_cut_edges(&m);
  if (!s) s = list_cells(&m);
  free(m.kind);
  free(m.local);
  free(m.ghosts);
  free(m.pairs);
  return s;
}

void cells_part_free(cells_part *p) {
  for (int32_t i = 0; i < p->num_neighbours; i++) {
    free(p->neighbours[i].sent);
    free(p->neighbours[i].edges_sent);
    free(p->neighbours[i].edges_received);
  }
  free(p->neighbours);
  free(p->number);
  free(p->cell);
  free(p->edge);
  free(p->src);
  free(p->dst);
  free(p->cells);
  free(p->cell_ptr);
  free(p->cell_nodes);
  *p = (cells_part){0};
}

static void *copy(arena *a, const void *from, int64_t count, size_t size) {
  void *to = arena_alloc_array(a, (size_t)count + 1, size);
  if (count) memcpy(to, from, (size_t)count * size);
  return to;
}

void cells_part_move(cells_part *p, arena *a) {
  cells_part moved = *p;
  const int64_t nodes = p->num_own + p->num_ghosts;
  moved.number = copy(a, p->number, nodes, sizeof *p->number);
  moved.cell = copy(a, p->cell, p->num_own, sizeof *p->cell);
  moved.edge = copy(a, p->edge, p->num_edges, sizeof *p->edge);
  moved.src = copy(a, p->src, p->num_edges, sizeof *p->src);
  moved.dst = copy(a, p->dst, p->num_edges, sizeof *p->dst);
  moved.cells = copy(a, p->cells, p->ranks + 1, sizeof *p->cells);
  moved.cell_ptr = copy(a, p->cell_ptr, p->cells[p->ranks] + 1, sizeof *p->cell_ptr);
  moved.cell_nodes = copy(a, p->cell_nodes, p->num_own, sizeof *p->cell_nodes);
  moved.neighbours = copy(a, p->neighbours, p->num_neighbours, sizeof *p->neighbours);
  for (int32_t i = 0; i < p->num_neighbours; i++) {
    cells_neighbour *n = &moved.neighbours[i];
    n->sent = copy(a, n->sent, n->num_sent, sizeof *n->sent);
    n->edges_sent = copy(a, n->edges_sent, n->num_edges_sent, sizeof *n->edges_sent);
    n->edges_received = copy(a, n->edges_received, n->num_edges_received, sizeof *n->edges_received);
  }
  cells_part_free(p);
  *p = moved;
}
