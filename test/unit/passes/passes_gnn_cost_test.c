/* The cost model of gnn-order: equations (10) to (13) and Theorem 2 of GraphAGILE, edge sets
 * with self loops, density. */
#include "passes/cost/gnn_cost.h"
#include "unit.h"

static gnn_cost cost_of(int64_t nodes, int64_t edges, double density, const char *options) {
  pass_context p = {.options = options,
                    .statistics = {.num_nodes = nodes, .num_edges = edges, .feature_density = density},
                    .arena = arena_create()};
  gnn_cost c = gnn_cost_create(&p);
  arena_destroy(p.arena);
  return c;
}

TEST(an_aggregate_costs_two_operations_per_edge_and_column) {
  CHECK_NEAR(gnn_cost_aggregate(16, 100), 3200, 0);
}

TEST(a_linear_layer_costs_two_operations_per_node_and_weight) {
  gnn_cost c = cost_of(10, 100, -1, "");
  CHECK_NEAR(gnn_cost_linear(&c, 16, 4, 1), 2 * 16 * 4 * 10, 0);
  CHECK_NEAR(gnn_cost_linear(&c, 16, 4, 0.5), 16 * 4 * 10, 0);
}

TEST(an_unknown_graph_leaves_the_choice_to_the_widths) {
  gnn_cost c = cost_of(-1, -1, -1, "");
  double aggregate_linear = gnn_cost_aggregate(64, gnn_cost_edges(&c, "g")) + gnn_cost_linear(&c, 64, 8, 1);
  double linear_aggregate = gnn_cost_linear(&c, 64, 8, c.density) + gnn_cost_aggregate(8, gnn_cost_edges(&c, "g"));
  CHECK(linear_aggregate < aggregate_linear);
  CHECK_NEAR(c.density, 1, 0);
}

TEST(density_without_a_graph_is_not_believed) {
  CHECK_NEAR(cost_of(-1, -1, 0.01, "").density, 1, 0);
}

TEST(self_loops_add_one_edge_per_node_for_each_kind) {
  gnn_cost c = cost_of(10, 100, -1, "");
  CHECK_NEAR(gnn_cost_edges(&c, "g"), 100, 0);
  CHECK_NEAR(gnn_cost_edges(&c, "g.replace"), 110, 0);
  CHECK_NEAR(gnn_cost_edges(&c, "g.replace.add_remaining"), 120, 0);
}

TEST(features_are_sparse_below_a_quarter) {
  CHECK_NEAR(cost_of(10, 100, 0.249, "").density, 0.249, 0);
  CHECK_NEAR(cost_of(10, 100, 0.25, "").density, 1, 0);
}

TEST(the_features_option_overrides_the_threshold) {
  CHECK_NEAR(cost_of(10, 100, 0.5, "features=sparse").density, 0.5, 0);
  CHECK_NEAR(cost_of(10, 100, 0.01, "features=dense").density, 1, 0);
}

TEST(a_graph_without_edges_is_a_graph) {
  gnn_cost c = cost_of(10, 0, -1, "");
  CHECK_NEAR(gnn_cost_edges(&c, "g"), 0, 0);
  CHECK_NEAR(c.nodes, 10, 0);
}
