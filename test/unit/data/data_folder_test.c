/* Data sets of several files, in memory: what is refused, and where the message says it. */
#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "data/import/import.h"
#include "unit.h"

enum { MOST_FILES = 12 };

/* Names and contents in turn, up to NULL. */
static data_folder make_folder(folder_file files[MOST_FILES], const char *const *pairs) {
  size_t count = 0;
  for (; pairs[2 * count]; count++)
    files[count] = (folder_file){pairs[2 * count], pairs[2 * count + 1], strlen(pairs[2 * count + 1])};
  return (data_folder){.path = "f", .files = files, .count = count};
}

static status import(const char *const *pairs, tensor_set **set) {
  folder_file files[MOST_FILES];
  data_folder f = make_folder(files, pairs);
  *set = NULL;
  return import_ogb(&f, &(import_options){0}, set);
}

static void check_refused(const char *const *pairs, const char *message) {
  tensor_set *set;
  CHECK_FAILS(import(pairs, &set), message);
  CHECK(set == NULL);
}

#define LISTS "raw/num-node-list.csv", "3\n", "raw/num-edge-list.csv", "2\n"
#define PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(tables_of_a_graph_have_a_row_per_node_or_edge) {
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n"), "f: edge: has shape [1, 2], expected two columns of 2 edges");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0\n1\n"), "f: edge: has shape [2, 1], expected two columns of 2 edges");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n0.5,1\n"), "f: edge: holds F32, expected the numbers of nodes");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n-1,1\n"),
                "f: edge: edge 1 has the source -1, expected 0 to 2, the nodes");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n1,2\n", "raw/node-feat.csv", "1\n2\n"),
                "f: node_feat: has shape [2, 1], expected one row per node, 3");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n1,2\n", "raw/edge-feat.csv", "1\n2\n3\n"),
                "f: edge_feat: has shape [3, 1], expected one row per edge, 2");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n1,2\n", "raw/graph-label.csv", "1\n2\n"),
                "f: graph_label: has shape [2, 1], expected one row per graph, 1");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n1,2\n", "raw/edge_reltype.csv", "1\n"),
                "edge_reltype: has 1 rows, expected 2");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n1,2\n", "raw/node-feat.csv", "1,2\n3\n"),
                "f/raw/node-feat.csv: line 2: 1 columns, expected 2");
}

TEST(lists_of_numbers_have_one_column_in_range) {
  check_refused(PAIRS("raw/edge.csv", "0,1\n"), "f: has no raw/num-node-list.csv, a list with a row per graph");
  check_refused(PAIRS("raw/edge.csv", "", "raw/num-node-list.csv", "1,2\n", "raw/num-edge-list.csv", "0\n"),
                "num_node_list: has 2 columns of I64, expected one of whole numbers");
  check_refused(PAIRS("raw/edge.csv", "", "raw/num-node-list.csv", "1\n", "raw/num-edge-list.csv", "0\n0\n"),
                "num_edge_list: has 2 rows, expected 1");
  check_refused(PAIRS("raw/edge.csv", "", "raw/num-node-list.csv", "-1\n", "raw/num-edge-list.csv", "0\n"),
                "num_node_list: row 1 is -1, expected 0 to 2147483647 (of a graph)");
  check_refused(
      PAIRS("raw/edge.csv", "", "raw/num-node-list.csv", "2147483647\n1\n", "raw/num-edge-list.csv", "0\n0\n"),
      "num_node_list: adds up to 2147483648, at most 2147483647 are supported");
  check_refused(PAIRS(LISTS, "raw/edge.csv", "0,1\n1,2\n", "split/a/train.csv", "0\n3\n"),
                "f/split/a/train.csv: row 2 is 3, expected 0 to 2 (nodes)");
}

TEST(more_nodes_than_the_tables_can_be_about_are_refused) {
  check_refused(PAIRS("raw/edge.csv", "0,1\n", "raw/num-node-list.csv", "2000000000\n", "raw/num-edge-list.csv", "1\n"),
                "f: has 2000000000 nodes, but its tables have only 4 numbers");
  check_refused(PAIRS("raw/num-node-dict.csv", "a\n2000000000\n", "raw/triplet-type-list.csv", ""),
                "f: has 2000000000 nodes, but its tables have only 0 numbers");
}

TEST(an_empty_graph_is_a_graph) {
  tensor_set *set;
  graph *g = NULL;
  CHECK_OK(import(PAIRS("edge.csv", "", "num-node-list.csv", "0\n", "num-edge-list.csv", "0\n"), &set));
  CHECK_OK(graph_create(set, &g));
  CHECK_INT(g->num_nodes, 0);
  graph_close(g);
  tensor_set_destroy(set);
}

TEST(types_and_relations_are_checked) {
#define TYPES "raw/num-node-dict.csv", "a,b\n2,1\n", "raw/triplet-type-list.csv", "a,to,b\n"
#define EDGES "raw/relations/a___to___b/edge.csv"
  tensor_set *set;
  CHECK_OK(import(PAIRS(TYPES, EDGES, "1,0\n"), &set));
  tensor_set_destroy(set);
  check_refused(PAIRS(TYPES), "cannot open 'f/raw/relations/a___to___b/edge.csv'");
  check_refused(PAIRS(TYPES, EDGES, "1,1\n"),
                "f/raw/relations/a___to___b/edge.csv: edge 0 has the target 1, expected 0 to 0, the nodes");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,b\n", "raw/triplet-type-list.csv", ""),
                "f/raw/num-node-dict.csv: has 1 lines, expected types and the numbers of nodes of one graph");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,b\n2\n", "raw/triplet-type-list.csv", ""),
                "line 2: no number of nodes for type 'b'");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,a\n2,2\n", "raw/triplet-type-list.csv", ""),
                "line 1: type 'a' appears twice");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,../b\n2,2\n", "raw/triplet-type-list.csv", ""),
                "line 1: '../b' is no name of a type or relation");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,b\n2147483647,1\n", "raw/triplet-type-list.csv", ""),
                "has 2147483648 nodes, at most 2147483647 are supported");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,b\n2,1\n", "raw/triplet-type-list.csv", "a,b\n"),
                "line 1: 2 columns, expected source type, relation and target type");
  check_refused(PAIRS("raw/num-node-dict.csv", "a,b\n2,1\n", "raw/triplet-type-list.csv", "\na,to,c\n"),
                "line 2: 'c' is no type of num-node-dict.csv");
  check_refused(PAIRS(TYPES, EDGES, "1,0\n", "raw/node-feat/a/node-feat.csv", "1\n"),
                "f/raw/node-feat/a/node-feat.csv: has 1 rows, expected one per node of type 'a', 2");
  check_refused(PAIRS(TYPES, EDGES, "1,0\n", "raw/node-label/b/node-label.csv", "1\n2\n"),
                "f/raw/node-label/b/node-label.csv: has 2 rows, expected one per node of type 'b', 1");
}

TEST(labels_that_are_no_whole_numbers_stay_with_their_type) {
  tensor_set *set;
  CHECK_OK(import(PAIRS(TYPES, EDGES, "1,0\n", "raw/node-label/a/node-label.csv", "0.5\n\"\"\n"), &set));
  const tensor *y = tensor_set_find(set, "y.a");
  CHECK(y && y->dtype == DTYPE_F32 && y->rank == 1);
  CHECK(y && isnan(((const float *)(const void *)y->data)[1]));
  CHECK(!tensor_set_find(set, "y"));
  tensor_set_destroy(set);
}
