/* Statistics about types of edges: pairs with each end, canonical types and their numbers, and
 * types as large as a file may hold. */
#include "data/formats/text_tensors.h"
#include "data/type_statistics.h"
#include "unit.h"

static type_statistics collect(const char *input) {
  tensor_set *set = NULL;
  graph *g = NULL;
  type_statistics t = {0};
  CHECK_OK(text_tensors_parse("g", input, strlen(input), &set));
  CHECK_OK(graph_create(set, &g));
  CHECK_OK(type_statistics_collect(g, &t));
  graph_close(g);
  tensor_set_destroy(set);
  return t;
}

/* Nodes 0 1 of type 0, nodes 2 3 of type 1; relation 0 goes from type 0 to both types, relation 1
 * from type 1 to type 0. */
static const char typed[] = "tensor edge_index i64 2 6\n0 0 1 0 2 3\n2 3 2 1 0 0\ntensor edge_type i32 6\n0 0 0 0 1 1\n"
                            "tensor node_type i32 4\n0 0 1 1\n";

TEST(pairs_of_type_and_end_are_counted_once) {
  type_statistics t = collect(typed);
  CHECK_INT(t.num_edge_types, 2);
  CHECK_INT(t.num_node_types, 2);
  CHECK_INT(t.stored.types, 2);
  CHECK_INT(t.stored.unique_src, 4);
  CHECK_INT(t.stored.unique_dst, 4);
  CHECK_INT(t.stored.unique_either, 7);
  CHECK_INT(t.stored.pairs_src, 2);
  CHECK_INT(t.stored.pairs_dst, 3);
  CHECK_INT(t.canonical.types, 3);
  CHECK_INT(t.canonical.unique_src, 5);
  CHECK_INT(t.canonical.unique_dst, 4);
  CHECK_INT(t.canonical.pairs_src, 3);
  CHECK_INT(t.canonical.pairs_dst, 3);
}

TEST(a_graph_without_types_has_one_canonical_type) {
  type_statistics t = collect("tensor edge_index i64 2 3\n0 0 1\n1 2 2\n");
  CHECK_INT(t.num_edge_types, 0);
  CHECK_INT(t.canonical.types, 1);
  CHECK_INT(t.canonical.unique_src, 2);
  CHECK_INT(t.canonical.unique_dst, 2);
  CHECK_INT(collect("tensor edge_index i64 2 0\n\n\n").canonical.types, 0);
}

TEST(the_largest_type_costs_no_memory) {
  type_statistics t =
      collect("tensor edge_index i64 2 4\n0 1 2 3\n1 1 1 1\ntensor edge_type i32 4\n2147483646 0 2147483646 65536\n"
              "tensor node_type i32 4\n2147483646 0 5 2147483646\n");
  CHECK_INT(t.num_edge_types, 2147483647);
  CHECK_INT(t.stored.types, 3);
  CHECK_INT(t.stored.unique_src, 4);
  CHECK_INT(t.stored.unique_dst, 3);
  CHECK_INT(t.stored.pairs_src, 4);
  CHECK_INT(t.canonical.types, 4);
}

TEST(canonical_types_are_ordered_by_relation_source_and_target) {
  tensor_set *set = NULL;
  CHECK_OK(text_tensors_parse("g", typed, strlen(typed), &set));
  CHECK_OK(type_statistics_canonicalize(set));
  graph *g = NULL;
  CHECK_OK(graph_create(set, &g));
  static const int32_t expected[] = {1, 1, 1, 0, 2, 2};
  for (int e = 0; e < 6; e++) CHECK_INT(g->edge_type[e], expected[e]);
  CHECK_INT(g->num_edge_types, 3);
  CHECK_INT(g->num_node_types, 2);
  graph_close(g);
  tensor_set_destroy(set);
}

TEST(a_graph_without_any_types_has_no_canonical_ones_to_store) {
  static const char plain[] = "tensor edge_index i64 2 1\n0 1\n";
  tensor_set *set = NULL;
  CHECK_OK(text_tensors_parse("g", plain, strlen(plain), &set));
  CHECK_FAILS(type_statistics_canonicalize(set),
              "g: has neither 'edge_type' nor 'node_type', so it has no canonical types");
  tensor_set_destroy(set);
}

/* Canonical types, and rows per edge of pairs (type, source), are those of Pigeon's table, on
 * the graphs that are present. */
TEST(published_ratios_are_met) {
  static const struct {
    const char *name;
    int64_t types, unique_src;
    double ratio;
  } cases[] = {{"aifb_typed", 104, 24299, 0.498}, {"mutag_typed", 50, 76204, 0.515}, {"fb15k_237", 474, 161922, 0.261}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/data/graphs/%s.safetensors", GNNC_SHARED_DIR, cases[i].name);
    FILE *there = fopen(path, "rb");
    if (!there) continue;
    fclose(there);
    graph *g = NULL;
    type_statistics t;
    CHECK_OK(graph_open(path, &g));
    CHECK_OK(type_statistics_collect(g, &t));
    CHECK_INT(t.canonical.types, cases[i].types);
    CHECK_INT(t.canonical.unique_src, cases[i].unique_src);
    CHECK_INT(t.canonical.unique_dst, cases[i].unique_src);
    CHECK_NEAR((double)t.canonical.unique_src / (double)g->num_edges, cases[i].ratio, 0.0005);
    graph_close(g);
  }
}
