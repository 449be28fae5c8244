/* Runs a generated model on a graph with arbitrary numbers, for tools that check memory
 * accesses. The program is compiled together with the model. Under -fsanitize=memory it ends at
 * any output that depends on an unwritten byte; under -fsanitize=address,undefined at any access
 * outside of a block. Blocks end where bound_bytes and workspace_bytes say. Then the graph is
 * made wrong in many ways: bind refuses it, or the model runs on it.
 *
 *   clang -fsanitize=memory -DMODEL_INFO=gcn_info memory_main.c gcn.c -lm && ./a.out graph.bin
 *
 * graph.bin has int32 num_nodes, num_edges, num_graphs, has_types, then src, dst, edge_type,
 * node_type, batch; batch is present where num_graphs is not 0, the types where has_types is 1. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/gnnc/executor.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define CHECK_IS_WRITTEN(memory, size) __msan_check_mem_is_initialized(memory, size)
#endif
#endif
#ifndef CHECK_IS_WRITTEN
#define CHECK_IS_WRITTEN(memory, size) ((void)(memory), (void)(size))
#endif

enum { MOST_BLOCKS = 4096, MOST_THREADS = 3 };

const gnnc_model_info *MODEL_INFO(void);

static void fail(const char *what) {
  fprintf(stderr, "memory_main: %s\n", what);
  exit(2);
}

static void *blocks[MOST_BLOCKS];
static int block_count;

/* Blocks of exactly that many bytes, freed by free_blocks. */
static void *keep_block(void *block) {
  if (!block || block_count == MOST_BLOCKS) fail("memory is out");
  return blocks[block_count++] = block;
}

static void *allocate(size_t count, size_t size) {
  return keep_block(malloc(count * size));
}

static void free_blocks(int from) {
  while (block_count > from) free(blocks[--block_count]);
}

/* The worst address for a model: one byte behind a multiple of 64, so that alignment takes 63
 * bytes. */
static void *allocate_unaligned(size_t size) {
  void *block = NULL;
  if (posix_memalign(&block, 64, size + 1)) fail("memory is out");
  return (char *)keep_block(block) + 1;
}

static int32_t *read_numbers(FILE *file, int64_t count) {
  int32_t *numbers = allocate((size_t)count, sizeof *numbers);
  if (fread(numbers, sizeof *numbers, (size_t)count, file) != (size_t)count) fail("the graph file is too short");
  return numbers;
}

static gnnc_graph read_graph(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("the graph file cannot be opened");
  int32_t *head = read_numbers(file, 4);
  gnnc_graph graph = {.size = sizeof graph, .num_nodes = head[0], .num_edges = head[1], .num_graphs = head[2]};
  graph.src = read_numbers(file, head[1]);
  graph.dst = read_numbers(file, head[1]);
  if (head[3]) graph.edge_type = read_numbers(file, head[1]);
  if (head[3]) graph.node_type = read_numbers(file, head[0]);
  if (head[2]) graph.batch = read_numbers(file, head[0]);
  fclose(file);
  return graph;
}

static size_t count_nodes(const gnnc_graph *graph, int64_t type) {
  size_t count = 0;
  for (int64_t n = 0; graph->node_type && n < graph->num_nodes; n++) count += graph->node_type[n] == type;
  return count;
}

static size_t count_rows(const gnnc_tensor_info *info, const gnnc_graph *graph) {
  switch (info->rows) {
  case GNNC_ROWS_ONE: return 1;
  case GNNC_ROWS_NODE: return (size_t)graph->num_nodes;
  case GNNC_ROWS_EDGE: return (size_t)graph->num_edges;
  case GNNC_ROWS_GRAPH: return graph->batch || graph->num_graphs ? (size_t)graph->num_graphs : 1;
  case GNNC_ROWS_PART: return count_nodes(graph, info->count);
  default: return (size_t)info->count;
  }
}

static size_t count_elements(const gnnc_tensor_info *info, const gnnc_graph *graph) {
  size_t count = count_rows(info, graph);
  for (int32_t d = 0; d < info->rank; d++) count *= (size_t)info->dims[d];
  return count;
}

static float next_number(void) {
  static uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 8388608.0f - 1.0f;
}

static float *make_numbers(size_t count) {
  float *numbers = allocate(count, sizeof *numbers);
  for (size_t i = 0; i < count; i++) numbers[i] = next_number();
  return numbers;
}

/* Numbers within the ranges of an integer input. */
static int32_t *make_integers(const gnnc_tensor_info *info, size_t count) {
  int32_t *numbers = allocate(count, sizeof *numbers);
  size_t row = 1;
  for (int32_t d = 0; d < info->rank; d++) row *= (size_t)info->dims[d];
  for (size_t i = 0; i < count; i++) {
    int64_t least = info->ranges ? info->ranges[2 * (i % row)] : 0,
            most = info->ranges ? info->ranges[2 * (i % row) + 1] : 3;
    double share = ((double)next_number() + 1) / 2;
    numbers[i] = (int32_t)(least + (int64_t)(share * (double)(most - least)));
  }
  return numbers;
}

/* Sparse rows in which every third column is stored. */
static void *make_csr(int64_t rows, int64_t columns) {
  gnnc_csr *csr = allocate(1, sizeof *csr);
  int64_t *indptr = allocate((size_t)rows + 1, sizeof *indptr), count = 0;
  int32_t *indices = allocate((size_t)(rows * columns), sizeof *indices);
  for (int64_t n = 0; n < rows; n++) {
    indptr[n] = count;
    for (int64_t c = n % 3; c < columns; c += 3) indices[count++] = (int32_t)c;
  }
  indptr[rows] = count;
  *csr = (gnnc_csr){indptr, indices, make_numbers((size_t)count)};
  return csr;
}

static void **make_tensors(const gnnc_tensor_info *infos, int32_t count, const gnnc_graph *graph, bool has_numbers) {
  void **tensors = allocate((size_t)count, sizeof *tensors);
  for (int32_t i = 0; i < count; i++) {
    size_t elements = count_elements(&infos[i], graph);
    tensors[i] = infos[i].is_sparse                   ? make_csr(graph->num_nodes, infos[i].dims[0])
                 : has_numbers && infos[i].is_integer ? (void *)make_integers(&infos[i], elements)
                 : has_numbers                        ? (void *)make_numbers(elements)
                                                      : allocate(elements, sizeof(float));
  }
  return tensors;
}

/* Runs on a bound graph with 1, 2 and 3 threads: every byte of the outputs is written, and all
 * runs agree. */
static void run(const gnnc_model_info *info, const gnnc_graph *graph, const void *bound) {
  void **inputs = make_tensors(info->inputs, info->num_inputs, graph, true), **first = NULL;
  for (int32_t threads = 1; threads <= MOST_THREADS; threads++) {
    void **outputs = make_tensors(info->outputs, info->num_outputs, graph, false);
    gnnc_pool *pool = gnnc_pool_create(threads);
    if (!pool) fail("no pool of threads");
    const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
    void *workspace = allocate_unaligned(info->workspace_bytes(bound, &context));
    if (info->run(bound, (const void *const *)inputs, outputs, workspace, &context)) fail("run failed");
    gnnc_pool_destroy(pool);
    for (int32_t i = 0; i < info->num_outputs; i++) {
      size_t size = count_elements(&info->outputs[i], graph) * sizeof(float);
      CHECK_IS_WRITTEN(outputs[i], size);
      if (first && memcmp(first[i], outputs[i], size) != 0) fail("numbers of threads disagree");
    }
    if (!first) first = outputs;
  }
}

static gnnc_result bind_and_run(const gnnc_model_info *info, const gnnc_graph *graph, void **weights) {
  size_t size = info->bound_bytes(graph);
  if (!size) return GNNC_ERROR_COUNT;
  int from = block_count;
  void *bound = allocate_unaligned(size);
  int64_t index = 0;
  if (size > 1 && info->bind(GNNC_ABI_VERSION, graph, (const void *const *)weights, bound, size - 1, &index) == GNNC_OK)
    fail("bind takes a block that is too small");
  gnnc_result result = info->bind(GNNC_ABI_VERSION, graph, (const void *const *)weights, bound, size, &index);
  if (!result) run(info, graph, bound);
  free_blocks(from);
  return result;
}

/* ---- wrong graphs ---- */

/* Replaces some numbers of a list by values that may be out of range, one after another. */
static void try_numbers(const gnnc_model_info *info, const gnnc_graph *graph, void **weights, const int32_t *list,
                        int64_t count) {
  static const int32_t wrong[] = {-1, 0, 1, 1000, INT32_MAX, INT32_MIN};
  for (size_t w = 0; list && w < sizeof wrong / sizeof *wrong; w++)
    for (int64_t i = 0; i < count; i += count / 2 + 1) {
      int32_t *place = (int32_t *)list + i, before = *place;
      *place = wrong[w];
      (void)bind_and_run(info, graph, weights);
      *place = before;
    }
}

static void try_counts(const gnnc_model_info *info) {
  static const int64_t wrong[] = {-1, 0, 1, INT32_MAX - 1, INT32_MAX, (int64_t)INT32_MAX + 1, INT64_MAX, INT64_MIN};
  enum { COUNT = sizeof wrong / sizeof *wrong };
  for (int n = 0; n < COUNT; n++)
    for (int e = 0; e < COUNT; e++)
      for (int g = 0; g < COUNT; g++) {
        gnnc_graph graph = {.size = sizeof graph, .num_nodes = wrong[n], .num_edges = wrong[e], .num_graphs = wrong[g]};
        size_t size = info->bound_bytes(&graph);
        bool is_possible = wrong[n] >= 0 && wrong[e] >= 0 && wrong[n] < INT32_MAX && wrong[e] <= INT32_MAX - wrong[n];
        if (size && !is_possible) fail("a block for impossible numbers has a size");
      }
}

static void try_wrong_graphs(const gnnc_model_info *info, gnnc_graph graph, void **weights) {
  try_numbers(info, &graph, weights, graph.src, graph.num_edges);
  try_numbers(info, &graph, weights, graph.dst, graph.num_edges);
  try_numbers(info, &graph, weights, graph.edge_type, graph.num_edges);
  try_numbers(info, &graph, weights, graph.node_type, graph.num_nodes);
  try_numbers(info, &graph, weights, graph.batch, graph.num_nodes);
  for (int lacks = 1; lacks < 64; lacks++) {
    gnnc_graph less = graph;
    if (lacks & 1) less.num_edges = 0;
    if (lacks & 2) less.num_nodes = less.num_edges = 0;
    if (lacks & 4) less.edge_type = NULL;
    if (lacks & 8) less.batch = NULL;
    if (lacks & 16) less.num_graphs = 0;
    if (lacks & 32) less.num_graphs += 3;
    (void)bind_and_run(info, &less, weights);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage: memory_main graph.bin");
  const gnnc_model_info *info = MODEL_INFO();
  gnnc_graph graph = read_graph(argv[1]);
  void **weights = make_tensors(info->weights, info->num_weights, &graph, true);
  if (bind_and_run(info, &graph, weights)) fail("bind failed");
  try_counts(info);
  try_wrong_graphs(info, graph, weights);
  free_blocks(0);
  return 0;
}
