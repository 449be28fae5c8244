/* Reads the graph that a command is given. */
#include "tools/gnn-data/gnn_data.h"

status gnn_data_open_graph(const char *path, load_format from, thread_pool *pool, gnn_data_graph *out) {
  *out = (gnn_data_graph){.memory = arena_create()};
  RETURN_IF_ERROR(load_tensors(out->memory, path, from, &(import_options){.pool = pool}, &out->tensors));
  return graph_create(out->tensors, &out->graph);
}

void gnn_data_close_graph(gnn_data_graph *g) {
  graph_close(g->graph);
  tensor_set_destroy(g->tensors);
  arena_destroy(g->memory);
}
