/* room: data. Any tensors, in text form, are opened as a graph: they are refused with a message,
 * or every computation on the graph succeeds or returns a status. */
#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "data/statistics.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_NODES = 1 << 16 }; /* a larger field is legal, but it costs much memory */

static void use_graph(const graph *g) {
  arena *a = arena_create();
  graph_field field;
  graph_csr rows;
  const float *dense;
  graph_statistics statistics;
  for (int64_t e = 0; e < g->num_edges; e++)
    if (g->src[e] < 0 || g->src[e] >= g->num_nodes || g->dst[e] < 0 || g->dst[e] >= g->num_nodes) abort();
  for (int64_t n = 0; g->batch && n < g->num_nodes; n++)
    if (g->batch[n] < 0 || g->batch[n] >= g->num_graphs) abort();
  for (int64_t e = 0; g->edge_type && e < g->num_edges; e++)
    if (g->edge_type[e] < 0 || g->edge_type[e] >= g->num_edge_types) abort();
  bool has_x = graph_find_field(g, "x", &field);
  bool is_small = has_x && field.dims[0] <= MOST_NODES && field.dims[1] <= 1024;
  if (is_small) status_free(graph_read_csr(g, a, "x", &rows));
  if (is_small) status_free(graph_read_dense(g, a, "x", &field, &dense));
  status_free(graph_check_forms(g, "x"));
  status_free(statistics_collect(g, NULL, &statistics));
  graph_fingerprint(g);
  arena_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tensor_set *set;
  graph *g;
  status s = text_tensors_parse("input", (const char *)data, size, &set);
  int64_t nodes;
  if (!s && tensor_set_get_metadata_int(set, "num_nodes", &nodes) && nodes > MOST_NODES)
    tensor_set_put_metadata_int(set, "num_nodes", MOST_NODES);
  if (!s) s = graph_create(set, &g);
  if (!s) {
    if (g->num_nodes <= MOST_NODES) use_graph(g);
    graph_close(g);
  }
  tensor_set_destroy(set);
  status_free(s);
  return 0;
}
