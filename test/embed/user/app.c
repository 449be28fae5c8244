/* A program that contains a compiled GCN. It first calls the model's own functions on its own data, in two threads that share one
 * bound block; then it uses the runtime library, which reads graphs and weights from files. */
#include "gcn.h"

#include <gnnc/runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 34, FEATURES = 34, HIDDEN = 8, CLASSES = 2 };

/* The data of one thread: the shared bound block and input, its own output and workspace. */
typedef struct job {
  const void *bound;
  gcn_inputs inputs;
  float logits[NODES * CLASSES];
  gnnc_result result;
} job;

static void *run_job(void *user) {
  job *j = user;
  void *workspace = malloc(gcn_workspace_bytes(j->bound, NULL));
  gcn_outputs outputs = {.logits = j->logits};
  j->result = workspace ? gcn_run(j->bound, &j->inputs, &outputs, workspace, NULL) : GNNC_ERROR_NULL;
  free(workspace);
  return NULL;
}

/* A ring of nodes, each with its own feature, and weights made up on the spot: bound once, run twice at the same time. */
static int run_in_threads(void) {
  static int32_t src[NODES], dst[NODES];
  static float x[NODES * FEATURES], w1[HIDDEN * FEATURES], b1[HIDDEN], w2[CLASSES * HIDDEN], b2[CLASSES];
  for (int n = 0; n < NODES; n++) {
    src[n] = n;
    dst[n] = (n + 1) % NODES;
    x[n * FEATURES + n] = 1;
  }
  for (int i = 0; i < HIDDEN * FEATURES; i++) w1[i] = (float)(i % 7) - 3;
  for (int i = 0; i < CLASSES * HIDDEN; i++) w2[i] = (float)(i % 5) - 2;

  gnnc_graph graph = {.size = sizeof graph, .num_nodes = NODES, .num_edges = NODES, .src = src, .dst = dst};
  gcn_weights weights = {.conv1_lin_weight = w1, .conv1_bias = b1, .conv2_lin_weight = w2, .conv2_bias = b2};
  size_t size = gcn_bound_bytes(&graph);
  void *bound = malloc(size);
  int64_t index = 0;
  gnnc_result result = bound ? gcn_bind(&graph, &weights, bound, size, &index) : GNNC_ERROR_NULL;
  if (result != GNNC_OK) {
    fprintf(stderr, "bind failed: %d at %lld\n", (int)result, (long long)index);
    free(bound);
    return 1;
  }

  static job jobs[2];
  pthread_t threads[2];
  for (int t = 0; t < 2; t++) {
    jobs[t] = (job){.bound = bound, .inputs = {.x = x}};
    if (pthread_create(&threads[t], NULL, run_job, &jobs[t])) return 1;
  }
  for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
  free(bound);
  int differ = memcmp(jobs[0].logits, jobs[1].logits, sizeof jobs[0].logits);
  printf("two threads: results %d and %d, %s\n", (int)jobs[0].result, (int)jobs[1].result,
         differ ? "different" : "equal");
  return jobs[0].result || jobs[1].result || differ;
}

/* The same model on files, through the runtime library. */
static gnnc_status run_on_files(const char *graph, const char *weights) {
  gnnc_program *program = NULL;
  gnnc_session *session = NULL;
  gnnc_status s = gnnc_program_of_model(gcn_info(), &program);
  if (!s) s = gnnc_session_create(program, graph, weights, &session);
  if (!s) s = gnnc_session_run(session, NULL);
  if (!s) {
    int64_t rows = 0;
    const float *logits = gnnc_session_output(session, 0, &rows);
    int64_t second = 0;
    for (int64_t n = 0; n < rows; n++) second += logits[n * CLASSES + 1] > logits[n * CLASSES];
    printf("files: %lld nodes, %lld of them in the second class\n", (long long)rows, (long long)second);
  }
  gnnc_session_destroy(session);
  gnnc_program_close(program);
  return s;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: app GRAPH WEIGHTS\n");
    return 2;
  }
  if (run_in_threads()) return 1;
  gnnc_status s = run_on_files(argv[1], argv[2]);
  if (!s) return 0;
  fprintf(stderr, "%s\n", gnnc_status_message(s));
  gnnc_status_free(s);
  return 1;
}
