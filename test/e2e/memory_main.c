/* Runs a generated model on a graph with arbitrary numbers, for tools that watch memory: compiled together with the model under
 * -fsanitize=memory, every output that depends on a byte nobody wrote ends the program.
 *
 *   clang -fsanitize=memory -DMODEL_INFO=gcn_info memory_main.c gcn.c -lm && ./a.out graph.bin
 *
 * graph.bin: int32 num_nodes, num_edges, num_graphs, has_types, then src, dst, edge_type, node_type, batch; the last is there where
 * num_graphs is not 0, types where has_types is 1. */
#include "runtime/gnnc/abi.h"

#include <sanitizer/msan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const gnnc_model_info *MODEL_INFO(void);

static void fail(const char *what) {
  fprintf(stderr, "memory_main: %s\n", what);
  exit(2);
}

static void *allocate(size_t count, size_t size) {
  void *block = malloc(count * size + 1);
  if (!block) fail("memory is out");
  return block;
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
  gnnc_graph graph = {.num_nodes = head[0], .num_edges = head[1], .num_graphs = head[2]};
  graph.src = read_numbers(file, head[1]);
  graph.dst = read_numbers(file, head[1]);
  if (head[3]) graph.edge_type = read_numbers(file, head[1]);
  if (head[3]) graph.node_type = read_numbers(file, head[0]);
  if (head[2]) graph.batch = read_numbers(file, head[0]);
  free(head);
  fclose(file);
  return graph;
}

static size_t count_nodes(const gnnc_graph *graph, int64_t type) {
  size_t count = 0;
  for (int64_t n = 0; n < graph->num_nodes; n++) count += graph->node_type[n] == type;
  return count;
}

static size_t count_rows(const gnnc_tensor_info *info, const gnnc_graph *graph) {
  switch (info->rows) {
  case GNNC_ROWS_ONE: return 1;
  case GNNC_ROWS_NODE: return (size_t)graph->num_nodes;
  case GNNC_ROWS_EDGE: return (size_t)graph->num_edges;
  case GNNC_ROWS_GRAPH: return graph->batch ? (size_t)graph->num_graphs : 1;
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

/* Rows with every third column. */
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

static void **make_tensors(const gnnc_tensor_info *infos, int32_t count, const gnnc_graph *graph, int has_numbers) {
  void **tensors = allocate((size_t)count, sizeof *tensors);
  for (int32_t i = 0; i < count; i++) {
    size_t elements = count_elements(&infos[i], graph);
    tensors[i] = infos[i].is_sparse ? make_csr(graph->num_nodes, infos[i].dims[0])
                 : has_numbers      ? (void *)make_numbers(elements)
                                    : allocate(elements, sizeof(float));
  }
  return tensors;
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage: memory_main graph.bin");
  const gnnc_model_info *info = MODEL_INFO();
  gnnc_graph graph = read_graph(argv[1]);
  void **weights = make_tensors(info->weights, info->num_weights, &graph, 1);
  void **inputs = make_tensors(info->inputs, info->num_inputs, &graph, 1);
  void **outputs = make_tensors(info->outputs, info->num_outputs, &graph, 0);
  size_t size = info->bound_bytes(&graph);
  void *bound = allocate(size, 1);
  int64_t index = 0;
  if (info->bind(GNNC_ABI_VERSION, &graph, (const void *const *)weights, bound, size, &index)) fail("bind failed");
  void *workspace = allocate(info->workspace_bytes(bound, 1), 1);
  if (info->run(bound, (const void *const *)inputs, outputs, workspace, 1)) fail("run failed");
  for (int32_t i = 0; i < info->num_outputs; i++)
    __msan_check_mem_is_initialized(outputs[i], count_elements(&info->outputs[i], &graph) * sizeof(float));
  return 0;
}
