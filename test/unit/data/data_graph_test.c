/* graph_create refuses a graph that breaks one of its rules; fields are dense or sparse;
 * fingerprints and statistics are right. */
#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "data/statistics.h"
#include "unit.h"

/* Opens a graph from its text form; the caller must keep the set while the graph is used. */
typedef struct fixture {
  tensor_set *set;
  graph *graph;
} fixture;

static status open_text(const char *input, fixture *f) {
  *f = (fixture){0};
  RETURN_IF_ERROR(text_tensors_parse("g", input, strlen(input), &f->set));
  return graph_create(f->set, &f->graph);
}

static void close_fixture(fixture *f) {
  graph_close(f->graph);
  tensor_set_destroy(f->set);
}

static void check_refused(const char *input, const char *message) {
  fixture f;
  CHECK_FAILS(open_text(input, &f), message);
  CHECK(f.graph == NULL);
  close_fixture(&f);
}

TEST(an_edge_index_of_pairs_is_to_be_transposed) {
  tensor_set *set = tensor_set_create("f");
  graph *g = NULL;
  void *ends;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (int64_t[]){3, 2}, &ends));
  CHECK_FAILS(graph_create(set, &g), "'edge_index' has shape [3, 2], expected [2, edges]: transpose it");
  tensor_set_destroy(set);
}

TEST(a_graph_is_its_edges_and_types) {
  fixture f;
  CHECK_OK(open_text("tensor edge_index i64 2 3\n0 1 2\n1 2 0\ntensor edge_type u8 3\n0 1 0\n"
                     "tensor node_type i32 3\n0 1 1\ntensor edge_weight f16 3\n0.5 1 2\n",
                     &f));
  CHECK_INT(f.graph->num_nodes, 3);
  CHECK_INT(f.graph->num_edges, 3);
  CHECK_INT(f.graph->src[2], 2);
  CHECK_INT(f.graph->dst[2], 0);
  CHECK_INT(f.graph->num_edge_types, 2);
  CHECK_INT(f.graph->num_node_types, 2);
  CHECK_NEAR(f.graph->edge_weight[0], 0.5, 0);
  CHECK(f.graph->batch == NULL && f.graph->num_graphs == 0);
  close_fixture(&f);
}

TEST(truth_values_are_no_nodes) {
  check_refused("tensor edge_index bool 2 2\n0 1\n1 0\n", "'edge_index' is BOOL, expected whole numbers");
  check_refused("tensor edge_index i64 2 1\n0 0\ntensor x f32 1 1\n0\ntensor ptr bool 2\n0 1\n",
                "'ptr' is BOOL, expected whole numbers");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor batch bool 2\n0 1\n",
                "'batch' is BOOL, expected whole numbers");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_type bool 1\n0\n",
                "'edge_type' is BOOL, expected whole numbers");
}

TEST(truth_values_are_no_places_of_sparse_features) {
  static const char *const texts[] = {"tensor edge_index i64 2 1\n0 0\ntensor x_indptr bool 2\n0 1\ntensor x_indices "
                                      "i32 1\n0\ntensor x_data f32 1\n1\n",
                                      "tensor edge_index i64 2 1\n0 0\ntensor x_indptr i64 2\n0 1\ntensor x_indices "
                                      "bool 1\n0\ntensor x_data f32 1\n1\n"};
  static const char *const messages[] = {"'x_indptr' is BOOL, expected whole numbers",
                                         "'x_indices' is BOOL, expected whole numbers"};
  for (int i = 0; i < 2; i++) {
    fixture f;
    graph_csr m;
    CHECK_OK(open_text(texts[i], &f));
    CHECK_FAILS(graph_read_csr(f.graph, f.graph->memory, "x", &m), messages[i]);
    close_fixture(&f);
  }
}

TEST(more_graphs_or_types_than_32_bits_count_are_named) {
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor batch i32 2\n0 0\nmetadata num_graphs 2147483648\n",
                "metadata num_graphs is 2147483648, at most 2147483647 are supported");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_type i32 1\n0\nmetadata num_relations 9999999999\n",
                "metadata num_relations is 9999999999, at most 2147483647 are supported");
}

/* Nothing reads 'ptr', so it needs no storage. */
TEST(more_graphs_than_32_bits_count_are_named_in_ptr) {
  fixture f;
  CHECK_OK(open_text("tensor edge_index i64 2 1\n0 1\n", &f));
  tensor ptr = {.name = "ptr", .dtype = DTYPE_U8, .rank = 1, .count = (int64_t)INT32_MAX + 2};
  ptr.dims[0] = ptr.count;
  CHECK_OK(tensor_set_add_view(f.set, &ptr));
  graph *g = NULL;
  CHECK_FAILS(graph_create(f.set, &g), "'ptr' names 2147483648 graphs, at most 2147483647 are supported");
  CHECK(g == NULL);
  close_fixture(&f);
}

TEST(labels_and_masks_have_one_entry_per_node) {
  check_refused("tensor edge_index i64 2 1\n0 3\nmetadata num_nodes 4\ntensor y i32 3\n0 1 0\n",
                "'y' has shape [3], expected one entry per node, 4");
  check_refused("tensor edge_index i64 2 1\n0 3\nmetadata num_nodes 4\ntensor test_mask u8 3\n0 1 0\n",
                "'test_mask' has shape [3], expected one entry per node, 4");
}

TEST(the_number_of_nodes_comes_from_metadata_then_fields_then_the_largest_index) {
  static const struct {
    const char *input;
    int64_t nodes;
  } cases[] = {
      {"tensor edge_index i64 2 1\n0 4\n", 5},
      {"tensor edge_index i64 2 1\n0 4\nmetadata num_nodes 9\n", 9},
      {"tensor edge_index i64 2 1\n0 1\ntensor x f32 4 1\n0 0 0 0\n", 4},
      {"tensor edge_index i64 2 1\n0 1\ntensor x_indptr i32 4\n0 0 0 0\n", 3},
      {"tensor edge_index i64 2 1\n0 1\ntensor node_type i32 6\n0 0 0 0 0 0\n", 6},
      {"tensor edge_index i64 2 1\n0 1\ntensor y i32 7\n0 0 0 0 0 0 0\n", 7},
      {"tensor edge_index i64 2 0\n", 0},
      {"tensor edge_index i64 2 0\nmetadata num_nodes 3\n", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f;
    CHECK_OK(open_text(cases[i].input, &f));
    CHECK_INT(f.graph ? f.graph->num_nodes : -1, cases[i].nodes);
    close_fixture(&f);
  }
}

TEST(edges_are_checked) {
  check_refused("tensor x f32 1\n1\n", "g: has no 'edge_index', so it is not a graph");
  check_refused("tensor edge_index i64 3 1\n0 1 2\n", "'edge_index' has shape [3, 1], expected [2, edges]");
  check_refused("tensor edge_index i64 4\n0 1 2 3\n", "'edge_index' has shape [4]");
  check_refused("tensor edge_index f32 2 1\n0 1\n", "'edge_index' is F32, expected whole numbers");
  check_refused("tensor edge_index i64 2 2\n0 5\n1 1\nmetadata num_nodes 4\n",
                "edge 1 goes from node 5 to node 1, but the graph has 4 nodes (metadata num_nodes)");
  check_refused("tensor edge_index i64 2 1\n-1 1\n", "edge 0 goes from node -1 to node 1");
  check_refused("tensor edge_index i64 2 1\n5000000000 1\n", "'edge_index' holds 5000000000 at 0, which does not fit");
  check_refused("tensor edge_index i64 2 1\n0 3\ntensor x f32 2 1\n0 0\n", "but the graph has 2 nodes ('x')");
}

TEST(counts_in_metadata_are_checked) {
  check_refused("tensor edge_index i64 2 0\nmetadata num_nodes many\n",
                "metadata num_nodes is 'many', expected a count");
  check_refused("tensor edge_index i64 2 0\nmetadata num_nodes -1\n", "metadata num_nodes is '-1'");
  check_refused("tensor edge_index i64 2 1\n0 2\ntensor num_nodes i64 1\n5\n",
                "'num_nodes' is a tensor here, but the number of nodes is read from metadata num_nodes");
  check_refused("tensor edge_index i64 2 0\nmetadata num_nodes 3000000000\n", "at most 2147483647 are supported");
}

TEST(fields_must_agree_with_the_nodes_and_edges) {
  check_refused("tensor edge_index i64 2 1\n0 1\nmetadata num_nodes 3\ntensor x f32 2 1\n0 0\n",
                "'x' has shape [2, 1], but the graph has 3 nodes (metadata num_nodes)");
  check_refused("tensor edge_index i64 2 1\n0 1\nmetadata num_nodes 3\ntensor x_indptr i32 3\n0 0 0\n",
                "'x_indptr' has shape [3], expected [4]");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_type i32 2\n0 0\n",
                "'edge_type' has shape [2], expected [1], one entry per edge");
  check_refused("tensor edge_index i64 2 1\n0 1\nmetadata num_nodes 2\ntensor node_type i32 3\n0 0 0\n",
                "'node_type' has shape [3], expected [2], one entry per node");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_weight f32 2\n0 0\n", "'edge_weight' has shape [2]");
}

TEST(types_are_checked) {
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_type i32 1\n-1\n",
                "'edge_type' holds the negative type -1");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_type i32 1\n4\nmetadata num_relations 3\n",
                "'edge_type' holds type 4, but metadata num_relations is 3");
  check_refused("tensor edge_index i64 2 1\n0 1\ntensor edge_type f32 1\n0\n", "'edge_type' is F32");
  fixture f;
  CHECK_OK(open_text("tensor edge_index i64 2 1\n0 1\ntensor edge_type i32 1\n1\nmetadata num_relations 9\n", &f));
  CHECK_INT(f.graph->num_edge_types, 9);
  close_fixture(&f);
}

TEST(nan_is_refused_in_edge_weights_only) {
  check_refused("tensor edge_index i64 2 2\n0 1 1 0\ntensor edge_weight f32 2\n1 nan\n",
                "'edge_weight' is nan at edge 1");
  fixture f;
  CHECK_OK(open_text("tensor edge_index i64 2 1\n0 1\ntensor x f32 2 1\nnan inf\ntensor edge_weight f32 1\ninf\n", &f));
  close_fixture(&f);
}

TEST(a_batch_is_read_from_batch_or_ptr) {
  fixture f;
  CHECK_OK(open_text("tensor edge_index i64 2 0\nmetadata num_nodes 3\ntensor ptr i32 4\n0 2 2 3\n", &f));
  CHECK_INT(f.graph->num_graphs, 3);
  CHECK_INT(f.graph->batch[0], 0);
  CHECK_INT(f.graph->batch[2], 2);
  close_fixture(&f);
  CHECK_OK(open_text("tensor edge_index i64 2 0\ntensor batch i64 3\n0 0 1\n", &f));
  CHECK_INT(f.graph->num_graphs, 2);
  close_fixture(&f);
  check_refused("tensor edge_index i64 2 0\nmetadata num_nodes 3\ntensor ptr i32 3\n0 2 4\n",
                "'ptr' does not rise from 0 to the 3 nodes");
  check_refused("tensor edge_index i64 2 0\nmetadata num_nodes 3\ntensor ptr i32 4\n0 3 2 3\n", "'ptr' does not rise");
  check_refused("tensor edge_index i64 2 0\ntensor batch i32 2\n0 1\ntensor ptr i32 3\n0 2 2\n",
                "'batch' puts node 1 into graph 1, 'ptr' into 0");
}

static const char *const both_forms =
    "tensor edge_index i64 2 0\ntensor x f32 2 3\n0 1 0\n2 0 nan\n"
    "tensor x_indptr i32 3\n0 1 3\ntensor x_indices i32 3\n1 0 2\ntensor x_data f32 3\n1 2 nan\n";

TEST(where_both_forms_exist_the_sparse_one_counts_and_they_are_compared) {
  fixture f;
  CHECK_OK(open_text(both_forms, &f));
  graph_field x;
  CHECK(graph_find_field(f.graph, "x", &x));
  CHECK(x.is_sparse && x.dims[0] == 2 && x.dims[1] == 3 && x.nonzeros == 3);
  CHECK_OK(graph_check_forms(f.graph, "x"));
  CHECK_OK(graph_check_forms(f.graph, "y"));
  float *dense = (float *)(uintptr_t)tensor_set_find(f.set, "x")->data;
  dense[3] = 7;
  CHECK_FAILS(graph_check_forms(f.graph, "x"), "g: 'x' at [1, 0] is 7 in its dense form and 2 in its sparse form");
  close_fixture(&f);
}

TEST(a_sparse_field_expands_to_a_dense_one) {
  fixture f;
  arena *a = arena_create();
  CHECK_OK(open_text(
      "tensor edge_index i64 2 0\nmetadata num_nodes 2\nmetadata num_features 4\ntensor x_indptr i64 3\n0 1 3\n"
      "tensor x_indices i32 3\n1 0 2\ntensor x_data f64 3\n1 2 5\n",
      &f));
  graph_field x;
  const float *values;
  CHECK_OK(graph_read_dense(f.graph, a, "x", &x, &values));
  CHECK_INT(x.dims[1], 4);
  const float expected[8] = {0, 1, 0, 0, 2, 0, 5, 0};
  CHECK(memcmp(values, expected, sizeof expected) == 0);
  CHECK(!graph_find_field(f.graph, "z", &x));
  CHECK_FAILS(graph_read_dense(f.graph, a, "z", NULL, &values), "g: has no field 'z'");
  arena_destroy(a);
  close_fixture(&f);
}

static void check_csr_refused(const char *indptr, const char *indices, const char *data, const char *message) {
  fixture f;
  arena *a = arena_create();
  graph_csr m;
  const char *input = arena_printf(a,
                                   "tensor edge_index i64 2 0\nmetadata num_nodes 2\nmetadata num_features 3\n"
                                   "tensor x_indptr i32 3\n%s\ntensor x_indices i32 %s\ntensor x_data f32 %s\n",
                                   indptr, indices, data);
  CHECK_OK(open_text(input, &f));
  CHECK_FAILS(graph_read_csr(f.graph, a, "x", &m), message);
  arena_destroy(a);
  close_fixture(&f);
}

TEST(sparse_features_are_checked) {
  check_csr_refused("1 1 2", "2\n0 1", "2\n1 1", "'x_indptr' goes from 1 to 2, expected 0 to 2");
  check_csr_refused("0 1 1", "2\n0 1", "2\n1 1", "'x_indptr' goes from 0 to 1, expected 0 to 2");
  check_csr_refused("0 9 2", "2\n0 1", "2\n1 1", "'x_indptr' falls from 0 to 9 at row 0");
  check_csr_refused("0 1 2", "2\n0 3", "2\n1 1", "'x_indices' holds column 3 in row 1, expected 0 to 2");
  check_csr_refused("0 1 2", "2\n-1 0", "2\n1 1", "'x_indices' holds column -1 in row 0");
  check_csr_refused("0 2 2", "2\n1 1", "2\n1 1", "'x_indices' does not rise in row 0");
  check_csr_refused("0 1 2", "2\n0 1", "1\n1", "expected equal lists");
}

TEST(the_fingerprint_depends_on_structure_and_weights_but_not_on_features) {
  static const char *const inputs[] = {
      "tensor edge_index i64 2 2\n0 1 1 0\n",
      "tensor edge_index i32 2 2\n0 1 1 0\ntensor x f32 2 1\n1 1\nmetadata name b\n",
      "tensor edge_index i64 2 2\n0 1 0 1\n",
      "tensor edge_index i64 2 2\n0 1 1 0\nmetadata num_nodes 3\n",
      "tensor edge_index i64 2 2\n0 1 1 0\ntensor edge_type i32 2\n0 0\n",
      "tensor edge_index i64 2 2\n0 1 1 0\ntensor edge_weight f32 2\n0 0\n",
  };
  uint64_t prints[6];
  for (int i = 0; i < 6; i++) {
    fixture f;
    CHECK_OK(open_text(inputs[i], &f));
    prints[i] = graph_fingerprint(f.graph);
    for (int k = 0; k < i; k++) CHECK_INT(prints[k] == prints[i], i == 1 && k == 0);
    close_fixture(&f);
  }
}

static uint64_t field_print(const char *field, const char *said) {
  fixture f;
  uint64_t made = 0;
  arena *a = arena_create();
  CHECK_OK(open_text(arena_printf(a, "tensor edge_index i64 2 1\n0 1\n%s", said), &f));
  CHECK_OK(graph_field_fingerprint(f.graph, field, &made));
  close_fixture(&f);
  arena_destroy(a);
  return made;
}

TEST(fields_have_fingerprints_of_their_own) {
  static const char sparse[] = "tensor x_indptr i32 3\n0 1 2\ntensor x_indices i32 2\n0 1\ntensor x_data f32 2\n";
  char other[256], same[256];
  snprintf(same, sizeof same, "%s1 2\n", sparse);
  snprintf(other, sizeof other, "%s1 3\n", sparse);
  CHECK(field_print("x", same) == field_print("x", same));
  CHECK(field_print("x", same) != field_print("x", other));
  CHECK(field_print("x", "tensor x f32 2 1\n1 2\n") != field_print("x", "tensor x f32 2 1\n1 3\n"));
  CHECK_INT(field_print("batch", ""), 0);
  CHECK_INT(field_print("node_type", ""), 0);
  CHECK(field_print("batch", "tensor batch i32 2\n0 1\n") != field_print("batch", "tensor batch i32 2\n0 0\n"));
  CHECK(field_print("node_type", "tensor node_type i32 2\n0 1\n") != 0);
  fixture f;
  uint64_t made;
  CHECK_OK(open_text("tensor edge_index i64 2 1\n0 1\n", &f));
  CHECK_FAILS(graph_field_fingerprint(f.graph, "x", &made), "g: no field 'x'");
  close_fixture(&f);
}

TEST(statistics_count_loops_duplicates_and_components) {
  fixture f;
  graph_statistics s;
  CHECK_OK(open_text("metadata num_nodes 6\ntensor edge_index i64 2 6\n0 0 1 2 2 3\n1 1 0 2 3 2\n", &f));
  CHECK_OK(statistics_collect(f.graph, NULL, &s));
  CHECK_INT(s.self_loops, 1);
  CHECK_INT(s.duplicates, 1);
  CHECK_INT(s.reciprocal, 5);
  CHECK_INT(s.isolated, 2);
  CHECK_INT(s.components, 4);
  CHECK_INT(s.largest_component, 2);
  CHECK_INT(s.in.most, 2);
  CHECK_INT(s.in.least, 0);
  CHECK_INT(s.in.median, 1);
  CHECK_NEAR(s.in.mean, 1.0, 0);
  CHECK_INT(s.in.buckets[0], 2);
  CHECK_INT(s.in.buckets[1], 2);
  CHECK_INT(s.in.buckets[2], 2);
  CHECK_NEAR(s.density, 6.0 / 36, 1e-12);
  close_fixture(&f);
  CHECK_OK(open_text("tensor edge_index i64 2 0\n", &f));
  CHECK_OK(statistics_collect(f.graph, NULL, &s));
  CHECK_INT(s.components, 0);
  close_fixture(&f);
}

TEST(the_shared_graphs_open_where_they_are_present) {
  static const struct {
    const char *name;
    int64_t nodes, edges;
  } cases[] = {{"cora", 2708, 10556}, {"aifb_typed", 7262, 48810}, {"mutag_tu", 3371, 7442}, {"imdb", 11616, 34212}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/data/graphs/%s.safetensors", GNNC_SHARED_DIR, cases[i].name);
    FILE *there = fopen(path, "rb");
    if (!there) continue;
    fclose(there);
    graph *g = NULL;
    CHECK_OK(graph_open(path, &g));
    CHECK_INT(g->num_nodes, cases[i].nodes);
    CHECK_INT(g->num_edges, cases[i].edges);
    CHECK_OK(graph_check_forms(g, "x"));
    graph_close(g);
  }
}
