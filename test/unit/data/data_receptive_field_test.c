/* Receptive fields: hops along incoming and outgoing edges, rows of edges, whole graphs of a batch, and
 * the numbers of the part. */
#include "data/formats/text_tensors.h"
#include "data/receptive_field.h"
#include "unit.h"

typedef struct opened {
  tensor_set *set;
  graph *graph;
  arena *arena;
} opened;

static opened open_text(const char *input) {
  opened o = {.arena = arena_create()};
  CHECK_OK(text_tensors_parse("g", input, strlen(input), &o.set));
  CHECK_OK(graph_create(o.set, &o.graph));
  return o;
}

static void close_all(opened *o) {
  graph_close(o->graph);
  tensor_set_destroy(o->set);
  arena_destroy(o->arena);
}

static receptive_field find(const opened *o, graph_reach reach, int64_t node) {
  receptive_field field;
  receptive_field_find(o->arena, o->graph, &reach, &node, 1, &field);
  return field;
}

/* A path 0 -> 1 -> 2 -> 3 -> 4, and 4 -> 4. */
static const char path[] = "tensor edge_index i64 2 5\n0 1 2 3 4\n1 2 3 4 4\n";
/* Graphs 0, 1, 2 with two nodes each; graph 2 has no edge. */
static const char batch[] = "tensor edge_index i64 2 2\n0 3\n1 2\ntensor batch i64 6\n0 0 1 1 2 2\n";

TEST(hops_go_against_incoming_edges) {
  opened o = open_text(path);
  receptive_field f = find(&o, (graph_reach){.hops = 2, .follows_in = true}, 3);
  CHECK_INT(f.part.num_nodes, 3);
  CHECK_INT(f.nodes[0], 1);
  CHECK_INT(f.nodes[2], 3);
  CHECK_INT(f.part.num_edges, 2);
  CHECK_INT(f.edges[0], 1);
  CHECK_INT(f.part.src[0], 0);
  CHECK_INT(f.part.dst[0], 1);
  CHECK_INT(f.part.src[1], 1);
  CHECK_INT(f.part.dst[1], 2);
  close_all(&o);
}

TEST(hops_go_along_outgoing_edges_and_both_ways) {
  opened o = open_text(path);
  receptive_field f = find(&o, (graph_reach){.hops = 2, .follows_out = true}, 3);
  CHECK_INT(f.part.num_nodes, 2);
  CHECK_INT(f.part.num_edges, 2); /* with the self loop of 4 */
  f = find(&o, (graph_reach){.hops = 1, .follows_in = true, .follows_out = true}, 2);
  CHECK_INT(f.part.num_nodes, 3);
  CHECK_INT(f.part.num_edges, 2);
  close_all(&o);
}

TEST(without_hops_a_node_is_alone) {
  opened o = open_text(path);
  receptive_field f = find(&o, (graph_reach){.follows_in = true}, 4);
  CHECK_INT(f.part.num_nodes, 1);
  CHECK_INT(f.part.num_edges, 0);
  close_all(&o);
}

TEST(rows_of_edges_reach_from_both_of_their_ends) {
  opened o = open_text(path);
  graph_reach reach = {.hops = 1, .follows_in = true, .has_edge_rows = true};
  receptive_field f = find(&o, reach, 3);
  CHECK_INT(f.part.num_edges, 2); /* 2 -> 3, whose source needs 1 -> 2 */
  bool is_chosen[5] = {false, false, false, true, false};
  CHECK_INT(receptive_field_has_row(o.graph, &reach, is_chosen, 2), true);
  CHECK_INT(receptive_field_has_row(o.graph, &reach, is_chosen, 1), false);
  CHECK_INT(receptive_field_has_row(o.graph, &reach, is_chosen, 3), false);
  reach = (graph_reach){.follows_out = true, .has_edge_rows = true};
  f = find(&o, reach, 3);
  CHECK_INT(f.part.num_edges, 1);
  CHECK_INT(f.edges[0], 3);
  CHECK_INT(receptive_field_has_row(o.graph, &reach, is_chosen, 3), true);
  close_all(&o);
}

TEST(whole_graphs_of_a_batch_get_new_numbers) {
  opened o = open_text(batch);
  receptive_field f = find(&o, (graph_reach){.extent = REACH_graphs}, 3);
  CHECK_INT(f.part.num_graphs, 1);
  CHECK_INT(f.graphs[0], 1);
  CHECK_INT(f.part.num_nodes, 2);
  CHECK_INT(f.part.batch[0], 0);
  CHECK_INT(f.part.num_edges, 1);
  f = find(&o, (graph_reach){.extent = REACH_all}, 3);
  CHECK_INT(f.part.num_graphs, 3);
  CHECK_INT(f.part.num_nodes, 6);
  close_all(&o);
}

TEST(without_a_batch_whole_graphs_are_the_whole) {
  opened o = open_text(path);
  receptive_field f = find(&o, (graph_reach){.extent = REACH_graphs}, 0);
  CHECK_INT(f.part.num_nodes, 5);
  CHECK_INT(f.part.num_edges, 5);
  close_all(&o);
}
