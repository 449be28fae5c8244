/* Parts of ranks: together they are the graph, what one rank sends is what another receives, and sums over edges that
 * are made by ranks have the bits of one process. */
#include "data/cells/cells_part.h"
#include "unit.h"

typedef struct fixture {
  graph *graph;
  cells cells;
} fixture;

static uint32_t next_number(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* A random graph with loops and repeated edges, and random cells, some of them empty. */
static fixture make_fixture(int64_t nodes, int64_t edges, int32_t count, uint32_t state) {
  fixture f = {.cells = {.num_nodes = nodes, .count = count}};
  tensor_set *set = tensor_set_create("parts test");
  void *data;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (const int64_t[]){2, edges}, &data));
  for (int64_t i = 0; i < 2 * edges; i++) ((int32_t *)data)[i] = (int32_t)(next_number(&state) % nodes);
  tensor_set_put_metadata_int(set, "num_nodes", nodes);
  CHECK_OK(graph_create(set, &f.graph));
  f.cells.cell = malloc(((size_t)nodes + 1) * sizeof *f.cells.cell);
  for (int64_t v = 0; v < nodes; v++) f.cells.cell[v] = (int32_t)(next_number(&state) % (uint32_t)count) / 2 * 2;
  return f;
}

static void free_fixture(fixture *f) {
  tensor_set *set = f->graph->tensors;
  graph_close(f->graph);
  tensor_set_destroy(set);
  cells_free(&f->cells);
}

/* Sums over incoming edges of one column; with `src` and `dst` exchanged, over outgoing ones. */
static void sum_edges(int64_t edges, const int32_t *src, const int32_t *dst, const float *x, float *y) {
  for (int64_t e = 0; e < edges; e++) y[dst[e]] += x[src[e]];
}

static const cells_neighbour *neighbour_of(const cells_part *p, int32_t rank) {
  for (int32_t i = 0; i < p->num_neighbours; i++)
    if (p->neighbours[i].rank == rank) return &p->neighbours[i];
  return NULL;
}

/* What `from` sends to `to` are the ghosts that `to` receives, in the same order. */
static void check_exchange(const cells_part *from, const cells_part *to) {
  const cells_neighbour *sends = neighbour_of(from, to->rank), *receives = neighbour_of(to, from->rank);
  const int64_t sent = sends ? sends->num_sent : 0, received = receives ? receives->num_received : 0;
  CHECK_INT(sent, received);
  for (int64_t i = 0; i < sent; i++) {
    CHECK(sends->sent[i] < from->num_own);
    CHECK_INT(from->number[sends->sent[i]], to->number[receives->first_received + i]);
  }
}

/* Values of edges that `from` sends to `to`: those of all edges between an own node of `to` and one of `from`, in the order of the graph. */
static void check_edge_exchange(const fixture *f, const cells_part *from, const cells_part *to) {
  const cells_neighbour *sends = neighbour_of(from, to->rank), *receives = neighbour_of(to, from->rank);
  const int64_t sent = sends ? sends->num_edges_sent : 0, received = receives ? receives->num_edges_received : 0;
  int64_t at = 0;
  CHECK_INT(sent, received);
  for (int64_t e = 0; e < f->graph->num_edges; e++) {
    const int32_t u = f->graph->src[e], v = f->graph->dst[e];
    if (cells_rank_of(f->cells.cell[u], f->cells.count, to->ranks) != to->rank) continue;
    if (cells_rank_of(f->cells.cell[v], f->cells.count, to->ranks) != from->rank || from == to) continue;
    CHECK(at < sent);
    if (at >= sent) return;
    CHECK_INT(from->edge[sends->edges_sent[at]], e);
    CHECK_INT(to->edge[receives->edges_received[at++]], e);
  }
  CHECK_INT(at, sent);
}

static void check_part(const fixture *f, const cells_part *p, int64_t *owned) {
  int64_t at = 0;
  for (int64_t i = 0; i < p->num_own; i++) {
    CHECK_INT(p->cell[i], f->cells.cell[p->number[i]]);
    CHECK_INT(cells_rank_of(p->cell[i], f->cells.count, p->ranks), p->rank);
    if (i && i != p->num_interior) CHECK(p->number[i - 1] < p->number[i]);
    owned[p->number[i]]++;
  }
  for (int64_t e = 0; e < p->num_edges; e++) {
    CHECK(!e || p->edge[e - 1] < p->edge[e]);
    CHECK_INT(p->number[p->src[e]], f->graph->src[p->edge[e]]);
    CHECK_INT(p->number[p->dst[e]], f->graph->dst[p->edge[e]]);
    CHECK(p->dst[e] < p->num_own);
    if (p->dst[e] < p->num_interior) CHECK(p->src[e] < p->num_own);
  }
  for (int32_t i = 0; i < p->num_neighbours; i++) at += p->neighbours[i].num_received;
  CHECK_INT(at, p->num_ghosts);
  CHECK_INT(cells_part_received_bytes(p, 64), 64 * at);
  CHECK_INT(cells_part_received_edge_bytes(p, 64), 0); /* without edges out of own nodes there is none to receive */
  for (int32_t i = 0; i < p->num_neighbours; i++)
    CHECK_INT(p->neighbours[i].num_edges_sent + p->neighbours[i].num_edges_received, 0);
}

/* A part with the edges into and out of own nodes: each edge with an own end is there once, in the order of the graph, and interior
 * nodes share none with ghosts. */
static void check_both(const fixture *f, const cells_part *p) {
  const int64_t nodes = p->num_own + p->num_ghosts;
  int64_t at = 0;
  char *touches = calloc((size_t)nodes + 1, 1);
  for (int64_t e = 0; e < f->graph->num_edges; e++) {
    const int32_t u = f->graph->src[e], v = f->graph->dst[e];
    const bool has_u = cells_rank_of(f->cells.cell[u], f->cells.count, p->ranks) == p->rank;
    const bool has_v = cells_rank_of(f->cells.cell[v], f->cells.count, p->ranks) == p->rank;
    if (!has_u && !has_v) continue;
    CHECK(at < p->num_edges);
    if (at >= p->num_edges) break;
    const int32_t src = p->src[at], dst = p->dst[at];
    CHECK_INT(p->edge[at++], e);
    CHECK_INT(p->number[src], u);
    CHECK_INT(p->number[dst], v);
    CHECK_INT(src < p->num_own, has_u);
    CHECK_INT(dst < p->num_own, has_v);
    if (has_u != has_v) touches[src] = touches[dst] = 1;
  }
  CHECK_INT(at, p->num_edges);
  for (int64_t n = 0; n < nodes; n++) CHECK_INT(touches[n], n >= p->num_interior);
  free(touches);
}

/* The lists of cells: ranks have cells that follow one another, and own nodes are listed by cell, in the order of the graph. */
static void check_cells(const fixture *f, const cells_part *p) {
  const int32_t count = f->cells.count;
  CHECK_INT(p->cells[0], 0);
  CHECK_INT(p->cells[p->ranks], count);
  for (int32_t r = 0; r < p->ranks; r++)
    for (int32_t c = p->cells[r]; c < p->cells[r + 1]; c++) CHECK_INT(cells_rank_of(c, count, p->ranks), r);
  CHECK_INT(p->cell_ptr[0], 0);
  CHECK_INT(p->cell_ptr[count], p->num_own);
  for (int32_t c = 0; c < count; c++) {
    CHECK(p->cell_ptr[c] <= p->cell_ptr[c + 1]);
    for (int64_t i = p->cell_ptr[c]; i < p->cell_ptr[c + 1]; i++) {
      CHECK(p->cell_nodes[i] >= 0 && p->cell_nodes[i] < p->num_own);
      CHECK_INT(p->cell[p->cell_nodes[i]], c);
      if (i > p->cell_ptr[c]) CHECK(p->number[p->cell_nodes[i - 1]] < p->number[p->cell_nodes[i]]);
    }
  }
}

/* Two rounds of sums over incoming or outgoing edges, with the rows of ghosts exchanged before each. */
static void check_sums(const fixture *f, cells_part *parts, int32_t ranks, bool is_outgoing) {
  const int64_t nodes = f->graph->num_nodes;
  float *x = malloc(((size_t)nodes + 1) * sizeof *x), *y = calloc((size_t)nodes + 1, sizeof *y);
  float *rows[16];
  for (int64_t v = 0; v < nodes; v++) x[v] = 1 / (float)(v + 3);
  for (int32_t r = 0; r < ranks; r++) {
    rows[r] = malloc(((size_t)(parts[r].num_own + parts[r].num_ghosts) + 1) * sizeof *rows[r]);
    for (int64_t i = 0; i < parts[r].num_own; i++) rows[r][i] = x[parts[r].number[i]];
  }
  for (int round = 0; round < 2; round++) {
    for (int32_t r = 0; r < ranks; r++)
      for (int32_t i = 0; i < parts[r].num_neighbours; i++) {
        const cells_neighbour *n = &parts[r].neighbours[i], *back = neighbour_of(&parts[n->rank], r);
        for (int64_t k = 0; k < n->num_received; k++) rows[r][n->first_received + k] = rows[n->rank][back->sent[k]];
      }
    for (int32_t r = 0; r < ranks; r++) {
      float *sums = calloc((size_t)(parts[r].num_own + parts[r].num_ghosts) + 1, sizeof *sums);
      const int32_t *src = parts[r].src, *dst = parts[r].dst;
      sum_edges(parts[r].num_edges, is_outgoing ? dst : src, is_outgoing ? src : dst, rows[r], sums);
      free(rows[r]);
      rows[r] = sums;
    }
    memset(y, 0, (size_t)nodes * sizeof *y);
    const int32_t *src = f->graph->src, *dst = f->graph->dst;
    sum_edges(f->graph->num_edges, is_outgoing ? dst : src, is_outgoing ? src : dst, x, y);
    memcpy(x, y, (size_t)nodes * sizeof *x);
  }
  for (int32_t r = 0; r < ranks; r++) {
    for (int64_t i = 0; i < parts[r].num_own; i++) CHECK(rows[r][i] == x[parts[r].number[i]]);
    free(rows[r]);
  }
  free(x);
  free(y);
}

static const int64_t sizes[][2] = {{1, 0}, {1, 4}, {40, 120}, {300, 900}, {50, 2000}};

TEST(parts_make_up_the_graph_and_sums_have_the_bits_of_one_process) {
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int32_t ranks = 1; ranks <= 8; ranks++) {
      fixture f = make_fixture(sizes[s][0], sizes[s][1], 16, 7u + (uint32_t)s);
      int64_t *owned = calloc((size_t)sizes[s][0] + 1, sizeof *owned), edges = 0;
      cells_part parts[8];
      for (int32_t r = 0; r < ranks; r++) {
        CHECK_OK(cells_part_make(f.graph, &f.cells, r, ranks, CELLS_EDGES_in, &parts[r]));
        check_part(&f, &parts[r], owned);
        check_cells(&f, &parts[r]);
        edges += parts[r].num_edges;
      }
      for (int64_t v = 0; v < sizes[s][0]; v++) CHECK_INT(owned[v], 1);
      CHECK_INT(edges, f.graph->num_edges);
      for (int32_t r = 0; r < ranks; r++)
        for (int32_t t = 0; t < ranks; t++) check_exchange(&parts[r], &parts[t]);
      check_sums(&f, parts, ranks, false);
      for (int32_t r = 0; r < ranks; r++) cells_part_free(&parts[r]);
      free(owned);
      free_fixture(&f);
    }
}

TEST(parts_with_edges_out_of_their_nodes_sum_over_both_directions) {
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int32_t ranks = 1; ranks <= 8; ranks++) {
      fixture f = make_fixture(sizes[s][0], sizes[s][1], 16, 7u + (uint32_t)s);
      cells_part parts[8];
      int64_t owned = 0, pairs[2] = {0, 0};
      for (int32_t r = 0; r < ranks; r++) {
        CHECK_OK(cells_part_make(f.graph, &f.cells, r, ranks, CELLS_EDGES_both, &parts[r]));
        check_both(&f, &parts[r]);
        check_cells(&f, &parts[r]);
        owned += parts[r].num_own;
        pairs[0] += parts[r].num_ghosts;
        int64_t received = 0;
        for (int32_t i = 0; i < parts[r].num_neighbours; i++) {
          pairs[1] += parts[r].neighbours[i].num_received;
          received += parts[r].neighbours[i].num_edges_received;
        }
        CHECK_INT(cells_part_received_edge_bytes(&parts[r], 12), 12 * received);
      }
      CHECK_INT(owned, f.graph->num_nodes);
      CHECK_INT(pairs[0], pairs[1]);
      for (int32_t r = 0; r < ranks; r++)
        for (int32_t t = 0; t < ranks; t++) {
          check_exchange(&parts[r], &parts[t]);
          check_edge_exchange(&f, &parts[r], &parts[t]);
        }
      for (int is_outgoing = 0; is_outgoing < 2; is_outgoing++) check_sums(&f, parts, ranks, is_outgoing);
      for (int32_t r = 0; r < ranks; r++) cells_part_free(&parts[r]);
      free_fixture(&f);
    }
}

TEST(a_part_in_an_arena_is_the_same) {
  fixture f = make_fixture(300, 900, 16, 3);
  arena *a = arena_create();
  cells_part made, moved;
  CHECK_OK(cells_part_make(f.graph, &f.cells, 1, 3, CELLS_EDGES_both, &made));
  CHECK_OK(cells_part_make(f.graph, &f.cells, 1, 3, CELLS_EDGES_both, &moved));
  cells_part_move(&moved, a);
  check_both(&f, &moved);
  check_cells(&f, &moved);
  for (int32_t i = 0; i < made.num_neighbours; i++)
    for (int64_t k = 0; k < made.neighbours[i].num_sent; k++)
      CHECK_INT(moved.neighbours[i].sent[k], made.neighbours[i].sent[k]);
  for (int32_t i = 0; i < made.num_neighbours; i++) {
    const cells_neighbour *from = &made.neighbours[i], *to = &moved.neighbours[i];
    CHECK_INT(to->num_edges_sent, from->num_edges_sent);
    CHECK_INT(to->num_edges_received, from->num_edges_received);
    for (int64_t k = 0; k < from->num_edges_sent; k++) CHECK_INT(to->edges_sent[k], from->edges_sent[k]);
    for (int64_t k = 0; k < from->num_edges_received; k++) CHECK_INT(to->edges_received[k], from->edges_received[k]);
  }
  cells_part_free(&made);
  arena_destroy(a);
  free_fixture(&f);
}
