/* Negative edges: they are behind the edges of the file, keep source, type and fields, have the label 0, and targets that are a function
 * of seed, epoch, edge and number alone and no edges of the file. */
#include "runtime/train_negatives.h"
#include "unit.h"

#include <string.h>

enum { NODES = 12, PER_EDGE = 3, MESSAGES = 4, PAIRS = 6, EDGES = MESSAGES + PAIRS };

static const gnnc_tensor_info inputs[] = {
    {"s", "edge_label", "graph", GNNC_ROWS_EDGE, 0, 0, {0}, 0, 0, NULL},
    {"m", "train_mask", "graph", GNNC_ROWS_EDGE, 0, 0, {0}, 0, 0, NULL},
    {"a", "edge_attr", "graph", GNNC_ROWS_EDGE, 0, 1, {2}, 0, 0, NULL},
};
static const gnnc_train_info program = {.num_inputs = 3, .inputs = inputs};
static const gnnc_train_info without_labels = {.num_inputs = 0};

/* Edges of messages, then pairs: the first three are trained on, the next is validated on, the last two do not exist. Types of nodes
 * alternate. */
static tensor_set *make_tensors(bool has_types) {
  static const int64_t ends[2 * EDGES] = {0, 2, 4, 6, 0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 1, 3, 5, 7, 1, 3};
  static const int32_t labels[EDGES] = {-1, -1, -1, -1, 1, 1, 1, 1, 0, 0};
  static const unsigned char trains[EDGES] = {0, 0, 0, 0, 1, 1, 1, 0, 1, 0},
                             vals[EDGES] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 1};
  tensor_set *set = tensor_set_create("graph");
  void *data = NULL;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I64, 2, (int64_t[]){2, EDGES}, &data));
  memcpy(data, ends, sizeof ends);
  CHECK_OK(tensor_set_add(set, "edge_type", DTYPE_U8, 1, (int64_t[]){EDGES}, &data));
  for (int e = 0; e < EDGES; e++) ((unsigned char *)data)[e] = e >= MESSAGES;
  CHECK_OK(tensor_set_add(set, "edge_label", DTYPE_I32, 1, (int64_t[]){EDGES}, &data));
  memcpy(data, labels, sizeof labels);
  CHECK_OK(tensor_set_add(set, "train_mask", DTYPE_U8, 1, (int64_t[]){EDGES}, &data));
  memcpy(data, trains, sizeof trains);
  CHECK_OK(tensor_set_add(set, "val_mask", DTYPE_U8, 1, (int64_t[]){EDGES}, &data));
  memcpy(data, vals, sizeof vals);
  CHECK_OK(tensor_set_add(set, "edge_attr", DTYPE_F32, 2, (int64_t[]){EDGES, 2}, &data));
  for (int i = 0; i < 2 * EDGES; i++) ((float *)data)[i] = (float)i;
  tensor_set_put_metadata_int(set, "num_nodes", NODES);
  if (!has_types) return set;
  CHECK_OK(tensor_set_add(set, "node_type", DTYPE_U8, 1, (int64_t[]){NODES}, &data));
  for (int n = 0; n < NODES; n++) ((unsigned char *)data)[n] = (unsigned char)(n % 2);
  return set;
}

static int number_at(const graph *g, const char *field, int64_t row) {
  const tensor *t = tensor_set_find(g->tensors, field);
  return t->dtype == DTYPE_U8 ? t->data[row] : (int)((const int32_t *)(const void *)t->data)[row];
}

static void check_rows(const graph *g) {
  const float *a = (const float *)(const void *)tensor_set_find(g->tensors, "edge_attr")->data;
  CHECK_INT(g->num_edges, EDGES + 3 * PER_EDGE);
  for (int64_t e = EDGES; e < g->num_edges; e++) {
    const int64_t of = MESSAGES + (e - EDGES) / PER_EDGE;
    CHECK_INT(g->src[e], g->src[of]);
    CHECK_INT(g->edge_type[e], 1);
    CHECK_INT(number_at(g, "edge_label", e), 0);
    CHECK_INT(number_at(g, "train_mask", e), 1);
    CHECK_INT(number_at(g, "val_mask", e), 0);
    CHECK(a[2 * e] == (float)(2 * of) && a[2 * e + 1] == (float)(2 * of + 1));
  }
}

static void check_targets(const train_negatives *n) {
  const graph *g = n->graph;
  for (int64_t e = EDGES; e < g->num_edges; e++) {
    CHECK(g->dst[e] >= 0 && g->dst[e] < NODES);
    if (g->node_type) CHECK_INT(g->dst[e] % 2, 1);
    for (int64_t of = MESSAGES; of < EDGES; of++) CHECK(g->src[e] != g->src[of] || g->dst[e] != g->dst[of]);
  }
  for (int64_t e = 0; e < EDGES; e++) CHECK(g->dst[e] == n->from->dst[e] && g->src[e] == n->from->src[e]);
}

static void check_epochs(bool has_types) {
  tensor_set *set = make_tensors(has_types);
  graph *g = NULL;
  train_negatives *n = NULL, *other = NULL;
  int32_t first[3 * PER_EDGE];
  CHECK_OK(graph_create(set, &g));
  CHECK_OK(train_negatives_create(g, &program, PER_EDGE, 7, &n));
  CHECK_OK(train_negatives_create(g, &program, PER_EDGE, 8, &other));
  CHECK_INT(n->num_positives, 3);
  check_rows(n->graph);
  for (int64_t epoch = 1; epoch <= 40; epoch++) {
    train_negatives_draw(n, epoch);
    check_targets(n);
    if (epoch == 1) memcpy(first, n->graph->dst + EDGES, sizeof first);
  }
  CHECK(memcmp(first, n->graph->dst + EDGES, sizeof first) != 0);
  train_negatives_draw(n, 1);
  CHECK(!memcmp(first, n->graph->dst + EDGES, sizeof first));
  train_negatives_draw(other, 1);
  CHECK(memcmp(first, other->graph->dst + EDGES, sizeof first) != 0);
  train_negatives_destroy(n);
  train_negatives_destroy(other);
  graph_close(g);
  tensor_set_destroy(set);
}

TEST(negatives_of_an_epoch_are_a_function_of_its_number_and_no_edges_of_the_file) {
  check_epochs(false);
  check_epochs(true);
}

TEST(without_a_mask_per_edge_all_edges_with_label_1_are_of_training) {
  static const gnnc_train_info labels_alone = {.num_inputs = 1, .inputs = inputs};
  tensor_set *set = make_tensors(false);
  graph *g = NULL;
  train_negatives *n = NULL;
  CHECK_OK(graph_create(set, &g));
  CHECK_OK(train_negatives_create(g, &labels_alone, 1, 7, &n));
  CHECK_INT(n->num_positives, 4);
  train_negatives_destroy(n);
  graph_close(g);
  tensor_set_destroy(set);
}

TEST(what_cannot_have_negatives_is_refused) {
  tensor_set *set = make_tensors(false);
  graph *g = NULL;
  train_negatives *n = NULL;
  CHECK_OK(graph_create(set, &g));
  CHECK_FAILS(train_negatives_create(g, &without_labels, 1, 7, &n), "and the loss does not read it");
  CHECK_FAILS(train_negatives_create(g, &program, 1000000000, 7, &n), "graphs have at most 2^31 - 1 edges");
  unsigned char *mask = (unsigned char *)(uintptr_t)tensor_set_find(set, "train_mask")->data;
  memset(mask, 0, EDGES);
  CHECK_FAILS(train_negatives_create(g, &program, 1, 7, &n), "no edge has 'edge_label' 1 and is in 'train_mask'");
  CHECK(n == NULL);
  const int64_t types = g->num_edge_types;
  g->num_edge_types = 1;
  CHECK_FAILS(train_negatives_create(g, &program, 1, 7, &n), "negative edges would carry messages");
  g->num_edge_types = types;
  graph_close(g);
  tensor_set_destroy(set);
}
