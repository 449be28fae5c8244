/* room: data. The reader of files of cells takes any bytes: it refuses them with a message, or each
 * node of the graph has a cell, and the cut can be measured. */
#include "data/cells/cells_file.h"
#include "data/cells/cells_statistics.h"
#include "data/formats/safetensors.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 0 -> 1 -> 2 -> 3 -> 0. */
static graph *make_graph(void) {
  static const int32_t ends[] = {0, 1, 2, 3, 1, 2, 3, 0};
  tensor_set *set = tensor_set_create("ring");
  void *to;
  graph *g;
  if (tensor_set_add(set, "edge_index", DTYPE_I32, 2, (const int64_t[]){2, 4}, &to)) abort();
  memcpy(to, ends, sizeof ends);
  if (graph_create(set, &g)) abort();
  return g;
}

/* The input is a header up to the first zero byte, then the data. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static graph *g;
  if (!g) g = make_graph();
  const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
  const uint64_t length = zero ? (size_t)(zero - data) : size;
  const size_t rest = zero ? size - length - 1 : 0;
  unsigned char *file = malloc(8 + size);
  memcpy(file, &length, 8);
  if (length) memcpy(file + 8, data, length);
  if (rest) memcpy(file + 8 + length, zero + 1, rest);
  tensor_set *set = NULL;
  cells c = {0};
  status s = safetensors_parse("input", file, 8 + length + rest, &set);
  if (!s) s = cells_read(set, g, &c);
  if (s && (c.cell || !*status_message(s))) abort();
  for (int64_t v = 0; !s && v < g->num_nodes; v++)
    if (c.cell[v] < 0 || c.cell[v] >= c.count) abort();
  cells_statistics measured;
  if (!s) s = cells_measure(g, &c, NULL, &measured);
  status_free(s);
  cells_free(&c);
  tensor_set_destroy(set);
  free(file);
  return 0;
}
