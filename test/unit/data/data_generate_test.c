/* A seed gives a generated graph fixed bytes; its sizes are those asked for, and its degrees
 * follow its kind. */
#include "data/generate/generate.h"
#include "data/generate/power.h"
#include "data/generate/random.h"
#include "data/graph.h"
#include "data/statistics.h"
#include "unit.h"

static graph *generate(generate_options o, tensor_set **set) {
  graph *g = NULL;
  *set = NULL;
  CHECK_OK(generate_graph(&o, set));
  if (*set) CHECK_OK(graph_create(*set, &g));
  return g;
}

static uint64_t fingerprint(generate_options o) {
  tensor_set *set;
  graph *g = generate(o, &set);
  uint64_t hash = g ? graph_fingerprint(g) : 0;
  graph_close(g);
  tensor_set_destroy(set);
  return hash;
}

TEST(the_same_options_give_the_same_graph_on_every_machine) {
  static const uint64_t expected[] = {UINT64_C(0x15ae5171cd60fe7f), UINT64_C(0x5c5a7daf7b0a21be),
                                      UINT64_C(0x96ada703e1b97962)};
  for (int kind = 0; kind < 3; kind++)
    CHECK(fingerprint((generate_options){.kind = (generate_kind)kind, .num_nodes = 100, .num_edges = 1000}) ==
          expected[kind]);
}

TEST(another_seed_gives_another_graph) {
  generate_options o = {.kind = GENERATE_uniform, .num_nodes = 100, .num_edges = 1000, .seed = 1};
  uint64_t first = fingerprint(o);
  o.seed = 2;
  CHECK(first != fingerprint(o));
}

TEST(features_do_not_change_the_edges) {
  generate_options o = {.kind = GENERATE_rmat, .num_nodes = 50, .num_edges = 200, .density = 0.5};
  uint64_t without = fingerprint(o);
  o.num_features = 10;
  o.num_classes = 3;
  o.num_node_types = 2;
  CHECK(without == fingerprint(o));
}

TEST(sizes_are_exactly_as_asked) {
  for (int kind = GENERATE_uniform; kind <= GENERATE_rmat; kind++) {
    tensor_set *set;
    generate_options o = {.kind = (generate_kind)kind,
                          .num_nodes = 37,
                          .num_edges = 400,
                          .is_undirected = true,
                          .num_features = 8,
                          .density = 1,
                          .num_classes = 3,
                          .num_edge_types = 5,
                          .num_node_types = 4,
                          .has_weights = true};
    graph *g = generate(o, &set);
    graph_statistics s;
    CHECK_OK(statistics_collect(g, NULL, &s));
    CHECK_INT(g->num_nodes, 37);
    CHECK_INT(g->num_edges, 400);
    CHECK_INT(g->num_edge_types, 5);
    CHECK_INT(g->num_node_types, 4);
    CHECK_INT(s.self_loops, 0);
    CHECK_INT(s.reciprocal, 400);
    for (int64_t e = 0; e < g->num_edges; e++)
      if (!(g->edge_weight[e] > 0 && g->edge_weight[e] <= 1)) CHECK_NEAR(g->edge_weight[e], 0.5, 0.5);
    const tensor *x = tensor_set_find(set, "x");
    CHECK(x && x->dims[0] == 37 && x->dims[1] == 8);
    graph_close(g);
    tensor_set_destroy(set);
  }
}

TEST(sparse_features_have_the_density_that_was_asked_for) {
  tensor_set *set;
  arena *a = arena_create();
  graph *g = generate((generate_options){.num_nodes = 2000, .num_features = 50, .density = 0.13, .seed = 3}, &set);
  graph_csr x;
  CHECK_OK(graph_read_csr(g, a, "x", &x));
  CHECK_INT(x.columns, 50);
  CHECK_NEAR((double)x.nonzeros / (2000 * 50), 0.13, 0.005);
  graph_close(g);
  tensor_set_destroy(set);
  g = generate((generate_options){.num_nodes = 10, .num_features = 5, .density = 0}, &set);
  CHECK_OK(graph_read_csr(g, a, "x", &x));
  CHECK_INT(x.nonzeros, 0);
  graph_close(g);
  tensor_set_destroy(set);
  arena_destroy(a);
}

TEST(power_law_and_rmat_graphs_have_hubs_and_uniform_ones_have_not) {
  int64_t most[3];
  for (int kind = 0; kind < 3; kind++) {
    tensor_set *set;
    graph *g = generate((generate_options){.kind = (generate_kind)kind, .num_nodes = 1000, .num_edges = 10000}, &set);
    graph_statistics s;
    CHECK_OK(statistics_collect(g, NULL, &s));
    most[kind] = s.in.most;
    graph_close(g);
    tensor_set_destroy(set);
  }
  CHECK(most[GENERATE_uniform] < 40);
  CHECK(most[GENERATE_power_law] > 200);
  CHECK(most[GENERATE_rmat] > 100);
}

static void check_refused(generate_options o, const char *message) {
  tensor_set *set;
  CHECK_FAILS(generate_graph(&o, &set), message);
  CHECK(set == NULL);
}

TEST(options_that_contradict_each_other_are_refused) {
  check_refused((generate_options){.num_nodes = -1}, "-1 nodes, expected 0 to 2147483646");
  check_refused((generate_options){.num_edges = 1}, "edges need nodes");
  check_refused((generate_options){.num_nodes = 1, .num_edges = 1, .drops_loops = true}, "self loops");
  check_refused((generate_options){.num_nodes = 2, .num_edges = 1, .is_undirected = true}, "even number");
  check_refused((generate_options){.num_nodes = 2, .density = 1.5}, "density");
  check_refused((generate_options){.num_nodes = 2, .exponent = 1}, "exponent");
  check_refused((generate_options){.num_nodes = 2, .num_node_types = 3}, "more node types than nodes");
  check_refused((generate_options){.num_nodes = 2, .rmat = {0.5, 0.5, 0.5}}, "add up to more than 1");
  check_refused(
      (generate_options){.num_nodes = 4, .num_edges = 2, .kind = GENERATE_rmat, .rmat = {1, 0, 0}, .drops_loops = true},
      "hardly ever");
  check_refused((generate_options){.num_nodes = 2000000000, .num_features = 1000000, .density = 1}, "too large");
}

TEST(random_numbers_are_within_their_bounds_and_use_all_of_them) {
  random_state r = random_create(1, 2);
  int seen[7] = {0};
  for (int i = 0; i < 7000; i++) seen[random_below(&r, 7)]++;
  for (int i = 0; i < 7; i++) CHECK_NEAR(seen[i], 1000, 150);
  for (int i = 0; i < 1000; i++) {
    double u = random_unit(&r);
    if (!(u >= 0 && u < 1)) CHECK_NEAR(u, 0.5, 0.5);
  }
}

TEST(powers_are_as_accurate_as_those_of_the_c_library) {
  double worst = 0;
  for (int i = 1; i < 3000; i++)
    for (int k = -30; k <= 30; k++) {
      double expected = pow(i * 1.7, k / 7.0), error = fabs(power_of(i * 1.7, k / 7.0) - expected) / expected;
      worst = error > worst ? error : worst;
    }
  CHECK(worst < 1e-13);
}
