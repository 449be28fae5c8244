/* Cells: every node has one, ranks own consecutive ones, and counts agree with counts made by hand. */
#include "data/cells/cells.h"
#include "data/cells/cells_adjacency.h"
#include "data/cells/cells_file.h"
#include "data/cells/cells_order.h"
#include "data/cells/cells_statistics.h"
#include "data/formats/safetensors.h"
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

/* A graph that owns its tensors. */
static graph *make_graph(int64_t nodes, int64_t edges, const int32_t *ends) {
  tensor_set *set = tensor_set_create("cells test");
  void *data;
  graph *g = NULL;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (const int64_t[]){2, edges}, &data));
  if (edges) memcpy(data, ends, (size_t)(2 * edges) * sizeof *ends);
  tensor_set_put_metadata_int(set, "num_nodes", nodes);
  CHECK_OK(graph_create(set, &g));
  return g;
}

static void free_graph(graph *g) {
  tensor_set *set = g->tensors;
  graph_close(g);
  tensor_set_destroy(set);
}

/* `groups` rings of `size` nodes, with an edge from each ring to the next. The rings are interleaved:
 * node i belongs to ring i % groups. */
static graph *make_rings(int32_t groups, int32_t size) {
  const int64_t edges = (int64_t)groups * (size + 1);
  int32_t *ends = malloc((size_t)(2 * edges) * sizeof *ends);
  int64_t e = 0;
  for (int32_t r = 0; r < groups; r++)
    for (int32_t i = 0; i <= size; i++, e++) {
      ends[e] = r + groups * (i % size);
      ends[edges + e] = i < size ? r + groups * ((i + 1) % size) : (r + 1) % groups;
    }
  graph *g = make_graph((int64_t)groups * size, edges, ends);
  free(ends);
  return g;
}

TEST(neighbours_come_once_with_their_edges_in_both_directions) {
  static const int32_t ends[] = {0, 1, 2, 2, 0, /* to */ 1, 0, 2, 1, 1};
  graph *g = make_graph(4, 5, ends);
  cells_adjacency a;
  CHECK_OK(cells_adjacency_make(g, NULL, &a));
  static const int32_t begin[] = {0, 1, 3, 4, 4}, to[] = {1, 0, 2, 1}, edges[] = {3, 3, 1, 1}, weight[] = {2, 4, 2, 1};
  CHECK(!memcmp(a.begin, begin, sizeof begin));
  CHECK(!memcmp(a.ends, to, sizeof to));
  CHECK(!memcmp(a.edges, edges, sizeof edges)); /* the self loop of node 2 is no neighbour */
  CHECK(!memcmp(a.weight, weight, sizeof weight));
  cells_adjacency_free(&a);
  free_graph(g);
}

TEST(ranks_own_consecutive_cells_and_none_is_left_out) {
  for (int32_t count = 1; count <= 65; count++)
    for (int32_t ranks = 1; ranks <= count; ranks++) {
      for (int32_t c = 0; c < count; c++) {
        const int32_t rank = cells_rank_of(c, count, ranks);
        CHECK(rank >= 0 && rank < ranks);
        CHECK((int64_t)rank * count / ranks <= c && c < ((int64_t)rank + 1) * count / ranks);
      }
    }
}

TEST(every_method_gives_each_node_a_cell_and_cells_about_equal_weight) {
  graph *g = make_rings(8, 40);
  for (size_t method = 0; cells_method_name(method); method++) {
    if (method == CELLS_metis) continue; /* gnn-data has it */
    cells c;
    int64_t nodes[8] = {0};
    CHECK_OK(cells_divide(g, &(cells_options){.method = (cells_method)method, .count = 8, .seed = 1}, &c));
    for (int64_t v = 0; v < c.num_nodes; v++) {
      CHECK(c.cell[v] >= 0 && c.cell[v] < 8);
      nodes[c.cell[v]]++;
    }
    for (int k = 0; k < 8; k++) CHECK(nodes[k] >= 36 && nodes[k] <= 44);
    cells_free(&c);
  }
  free_graph(g);
}

TEST(streaming_keeps_rings_together) {
  graph *g = make_rings(8, 40);
  cells c;
  cells_statistics s;
  CHECK_OK(cells_divide(g, &(cells_options){.method = CELLS_streaming, .count = 8}, &c));
  CHECK_OK(cells_measure(g, &c, NULL, &s));
  CHECK(s.cut <= 60); /* of 328; blocks cut them all */
  cells_free(&c);
  free_graph(g);
}

/* A caller's function gets the neighbours and the options. */
static status cut_in_halves(const cells_adjacency *a, int32_t count, uint64_t seed, int32_t *cell) {
  CHECK_INT(count, 2);
  CHECK(seed == 77);
  for (int64_t v = 0; v < a->num_nodes; v++) cell[v] = v % 2 ? 1 : 0;
  return STATUS_OK;
}

TEST(a_caller_may_bring_a_method) {
  graph *g = make_rings(2, 10);
  cells c;
  const cells_options o = {.method = CELLS_metis, .count = 2, .seed = 77, .metis = cut_in_halves};
  CHECK_OK(cells_divide(g, &o, &c));
  for (int64_t v = 0; v < c.num_nodes; v++) CHECK_INT(c.cell[v], v % 2);
  cells_free(&c);
  free_graph(g);
}

/* Eight cells in a chain whose numbers are mixed up: the order finds the chain, in some direction. */
TEST(neighbouring_cells_get_neighbouring_numbers) {
  static const int32_t mixed[] = {3, 6, 0, 5, 1, 7, 2, 4};
  enum { CELLS = 8, SIZE = 6, NODES = CELLS * SIZE };
  int32_t ends[2 * (NODES - 1)], cell[NODES];
  for (int i = 0; i < NODES - 1; i++) {
    ends[i] = i;
    ends[NODES - 1 + i] = i + 1;
  }
  for (int i = 0; i < NODES; i++) cell[i] = mixed[i / SIZE];
  graph *g = make_graph(NODES, NODES - 1, ends);
  cells_adjacency a;
  CHECK_OK(cells_adjacency_make(g, NULL, &a));
  CHECK_OK(cells_order(&a, CELLS, cell));
  int halves = 0;
  for (int i = 0; i + 1 < NODES; i++) halves += cell[i] / 4 != cell[i + 1] / 4;
  CHECK_INT(halves, 1);
  cells_adjacency_free(&a);
  free_graph(g);
}

/* 0 -> 1 -> 2 -> 3 in four cells, and 0 -> 2: with two ranks, rank 1 has the ghosts 1 and 0. */
TEST(ghosts_are_counted_once_per_rank) {
  static const int32_t ends[] = {0, 1, 2, 0, 1, /* to */ 1, 2, 3, 2, 3};
  graph *g = make_graph(4, 5, ends);
  cells c = {.num_nodes = 4, .count = 4, .cell = (int32_t[]){0, 1, 2, 3}};
  cells_statistics s;
  CHECK_OK(cells_measure(g, &c, NULL, &s));
  CHECK_INT(s.count, 2);
  CHECK_INT(s.cut, 5);
  CHECK(s.of[0].ghosts == 2.0 / 4 && s.of[0].most_ghosts == 1 && s.of[0].most_edges == 8.0 / 5);
  CHECK(s.of[1].ghosts == 5.0 / 4 && s.of[1].most_ghosts == 2);
  free_graph(g);
}

TEST(files_come_back_and_wrong_ones_are_refused) {
  char path[64], text[128];
  graph *g = make_rings(4, 10), *other = make_rings(4, 11);
  cells c, back;
  snprintf(path, sizeof path, "cells_%d.safetensors", (int)getpid());
  CHECK_OK(cells_divide(g, &(cells_options){.method = CELLS_blocks, .count = 4}, &c));
  CHECK_OK(cells_write(path, g, &c, CELLS_blocks, "test"));
  CHECK_OK(cells_open(path, g, &back));
  CHECK_INT(back.count, 4);
  CHECK(!memcmp(back.cell, c.cell, (size_t)c.num_nodes * sizeof *c.cell));
  cells_free(&back);

  status s = cells_open(path, other, &back);
  CHECK_HAS(status_message(s), "'cell' has 40 rows, graph 'cells test' has 44 nodes");
  status_free(s);
  const cells of_same_size = {.num_nodes = 40, .count = 4, .cell = c.cell};
  graph *reversed = make_graph(40, 0, NULL); /* as many nodes, other edges */
  CHECK_OK(cells_write(path, reversed, &of_same_size, CELLS_blocks, "test"));
  s = cells_open(path, g, &back);
  CHECK_HAS(status_message(s), "made for the graph with fingerprint");
  status_free(s);
  free_graph(reversed);

  c.cell[7] = 4;
  CHECK_OK(cells_write(path, g, &c, CELLS_blocks, "test"));
  s = cells_open(path, g, &back);
  snprintf(text, sizeof text, "%s: node 7 is in cell 4, expected 0 to 3", path);
  CHECK_STR(status_message(s), text);
  status_free(s);
  c.count = 5000;
  CHECK_OK(cells_write(path, g, &c, CELLS_blocks, "test"));
  s = cells_open(path, g, &back);
  CHECK_HAS(status_message(s), "metadata 'cells' must be a number from 1 to 1024");
  status_free(s);
  unlink(path);
  cells_free(&c);
  free_graph(g);
  free_graph(other);
}

TEST(graphs_without_nodes_or_edges_are_cut_as_well) {
  static const int64_t nodes[] = {0, 1, 3};
  for (size_t i = 0; i < 3; i++)
    for (size_t method = 0; cells_method_name(method); method++) {
      if (method == CELLS_metis) continue; /* gnn-data has it */
      graph *g = make_graph(nodes[i], 0, NULL);
      cells c;
      cells_statistics s;
      CHECK_OK(cells_divide(g, &(cells_options){.method = (cells_method)method, .count = 64, .seed = 1}, &c));
      CHECK_OK(cells_measure(g, &c, NULL, &s));
      for (int64_t v = 0; v < nodes[i]; v++) CHECK(c.cell[v] >= 0 && c.cell[v] < 64);
      cells_free(&c);
      free_graph(g);
    }
}
