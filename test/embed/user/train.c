/* A program that trains a compiled GCN on its own data. The functions of training are in gcn_train.h; those of gcn.h run the model
 * with the trained weights. */
#include "gcn.h"
#include "gcn_train.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 34, FEATURES = 34, HIDDEN = 8, CLASSES = 2, EDGES = 4 * NODES, STEPS = 100 };

/* Two rings of nodes; a node's class is its ring. Every fourth node has a label that training may see. */
static int32_t src[EDGES], dst[EDGES];
static float x[NODES * FEATURES], y[NODES], labelled[NODES];

static gnnc_graph make_graph(void) {
  for (int n = 0; n < NODES; n++) {
    int ring = n / (NODES / 2) * (NODES / 2), place = n % (NODES / 2);
    for (int k = 0; k < 4; k++) {
      src[4 * n + k] = n;
      dst[4 * n + k] = ring + (place + (k < 2 ? k + 1 : NODES / 2 - k + 1)) % (NODES / 2);
    }
    x[n * FEATURES + n] = 1;
    y[n] = n >= NODES / 2;
    labelled[n] = n % 4 == 0;
  }
  return (gnnc_graph){.size = sizeof(gnnc_graph), .num_nodes = NODES, .num_edges = EDGES, .src = src, .dst = dst};
}

/* Lowers the loss step by step; the weights begin as the model says. Returns the result of the first function that failed. */
static gnnc_result train(const gnnc_graph *graph, const gcn_train_weights *weights) {
  size_t size = gcn_train_bound_bytes(graph);
  void *bound = malloc(size);
  gnnc_result result = bound ? gcn_train_bind(graph, bound, size, NULL) : GNNC_ERROR_NULL;
  void *state = result ? NULL : malloc(gcn_train_state_bytes(bound));
  void *workspace = result ? NULL : malloc(gcn_train_workspace_bytes(bound, NULL));
  if (!result) result = gcn_train_initialize(bound, weights, 1);
  if (!result) result = gcn_train_reset(bound, state);

  const gcn_train_inputs inputs = {.x = x, .y = y, .train = labelled};
  const gnnc_optimizer adam = {.size = sizeof adam,
                               .kind = GNNC_ADAM,
                               .rate = 0.05f,
                               .decay = 5e-4f,
                               .beta1 = 0.9f,
                               .beta2 = 0.999f,
                               .epsilon = 1e-8f};
  gnnc_step step = {.seed = 1}; /* dropout draws from the seed and the number of the step */
  const gnnc_context context = {.size = sizeof context, .step = &step};
  for (step.number = 1; !result && step.number <= STEPS; step.number++) {
    float loss = 0;
    result = gcn_train_step(bound, &inputs, weights, state, &adam, &loss, workspace, &context);
    if (step.number % 25 == 0) printf("step %d: loss %.3f\n", (int)step.number, (double)loss);
  }
  free(bound);
  free(state);
  free(workspace);
  return result;
}

/* Counts the nodes whose class the model finds with these weights. */
static int count_right(const gnnc_graph *graph, const gcn_weights *weights) {
  static float logits[NODES * CLASSES];
  size_t size = gcn_bound_bytes(graph);
  void *bound = malloc(size);
  gnnc_result result = bound ? gcn_bind(graph, weights, bound, size, NULL) : GNNC_ERROR_NULL;
  void *workspace = result ? NULL : malloc(gcn_workspace_bytes(bound, NULL));
  const gcn_inputs inputs = {.x = x};
  const gcn_outputs outputs = {.logits = logits};
  if (!result) result = gcn_run(bound, &inputs, &outputs, workspace, NULL);
  int right = 0;
  for (int n = 0; !result && n < NODES; n++) right += (logits[n * CLASSES + 1] > logits[n * CLASSES]) == (y[n] > 0);
  free(bound);
  free(workspace);
  return right;
}

int main(void) {
  static float w1[HIDDEN * FEATURES], b1[HIDDEN], w2[CLASSES * HIDDEN], b2[CLASSES];
  const gcn_train_weights trained = {
      .conv1_lin_weight = w1, .conv1_bias = b1, .conv2_lin_weight = w2, .conv2_bias = b2};
  const gcn_weights weights = {.conv1_lin_weight = w1, .conv1_bias = b1, .conv2_lin_weight = w2, .conv2_bias = b2};
  const gnnc_graph graph = make_graph();
  gnnc_result result = train(&graph, &trained);
  if (result) {
    fprintf(stderr, "training failed with result %d\n", (int)result);
    return 1;
  }
  int right = count_right(&graph, &weights);
  printf("%d of %d nodes in the right class\n", right, (int)NODES);
  return right < NODES;
}
