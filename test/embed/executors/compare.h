/* The program around a code block of docs/embedding.md, in the common part of C and C++. The block
 * defines RUN, a function that runs the model gcn on an executor; this header runs the same graph
 * without an executor and compares the outputs bit by bit. A third executor counts parts: the
 * program fails where the graph is too small for several parts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 20000, FEATURES = 34, HIDDEN = 8, CLASSES = 2 };

static int32_t src[2 * NODES], dst[2 * NODES];
static float x[NODES * FEATURES], w1[HIDDEN * FEATURES], b1[HIDDEN], w2[CLASSES * HIDDEN], b2[CLASSES];
static float expected[NODES * CLASSES], found[NODES * CLASSES];

static void count_parts(void *user, int64_t parts, void (*body)(void *data, int64_t part), void *data) {
  int64_t *most = (int64_t *)user;
  if (parts > *most) *most = parts;
  for (int64_t part = parts; part-- > 0;) body(data, part); /* an executor may run parts in any order */
}

static gnnc_result run(const void *bound, const gcn_inputs *inputs, const gcn_outputs *outputs,
                       const gnnc_context *context) {
  void *workspace = malloc(gcn_workspace_bytes(bound, context) + 1);
  gnnc_result result = workspace ? gcn_run(bound, inputs, outputs, workspace, context) : GNNC_ERROR_NULL;
  free(workspace);
  return result;
}

static void fill(float *values, int count, int period) {
  for (int i = 0; i < count; i++) values[i] = (float)(i % period) / 7 - 1;
}

int main(void) {
  for (int n = 0; n < NODES; n++) {
    src[2 * n] = src[2 * n + 1] = n;
    dst[2 * n] = (n + 1) % NODES;
    dst[2 * n + 1] = (n * 7 + 3) % NODES;
  }
  fill(x, NODES * FEATURES, 31);
  fill(w1, HIDDEN * FEATURES, 13);
  fill(w2, CLASSES * HIDDEN, 11);

  gnnc_graph graph;
  memset(&graph, 0, sizeof graph);
  graph.size = sizeof graph;
  graph.num_nodes = NODES;
  graph.num_edges = 2 * NODES;
  graph.src = src;
  graph.dst = dst;
  gcn_weights weights;
  memset(&weights, 0, sizeof weights);
  weights.conv1_lin_weight = w1;
  weights.conv1_bias = b1;
  weights.conv2_lin_weight = w2;
  weights.conv2_bias = b2;
  gcn_inputs inputs;
  memset(&inputs, 0, sizeof inputs);
  inputs.x = x;
  gcn_outputs outputs;
  outputs.logits = expected;

  size_t size = gcn_bound_bytes(&graph);
  void *bound = malloc(size);
  int64_t index = 0, parts = 0;
  gnnc_result bind = bound ? gcn_bind(&graph, &weights, bound, size, &index) : GNNC_ERROR_NULL;
  gnnc_result alone = bind ? bind : run(bound, &inputs, &outputs, NULL);
  outputs.logits = found;
  gnnc_result together = alone ? alone : RUN(bound, &inputs, &outputs);
  int differs = together || memcmp(expected, found, sizeof found);

  gnnc_executor counting;
  counting.size = sizeof counting;
  counting.user = &parts;
  counting.width = 4;
  counting.for_parts = count_parts;
  gnnc_context context;
  context.size = sizeof context;
  context.executor = &counting;
  gnnc_result counted = together ? together : run(bound, &inputs, &outputs, &context);
  free(bound);
  printf("bind %d, alone %d, on the executor %d, %s, %lld parts\n", (int)bind, (int)alone, (int)together,
         differs ? "different" : "equal", (long long)parts);
  return differs || counted || parts < 2 || memcmp(expected, found, sizeof found);
}
