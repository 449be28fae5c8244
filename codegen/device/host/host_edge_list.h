/* Makes edge lists of device.edges on the host; shared by host_edge_list*.c. */
#ifndef GNNC_CODEGEN_DEVICE_HOST_HOST_EDGE_LIST_H
#define GNNC_CODEGEN_DEVICE_HOST_HOST_EDGE_LIST_H

#include "codegen/device/host/host_private.h"

/* An incomplete edge list. Entry i leads from row src[i] to row dst[i], edge[i] of the graph (NULL:
 * i). */
typedef struct host_edge_list_parts {
  program_host *host;
  MlirOperation op;
  const char *from, *to; /* sets of rows */
  int64_t count;
  const int32_t *src, *dst, *edge;
  int64_t loops; /* as in program_edge_list */
  const int32_t *loop;
  const float *weight;
  program_weights weights;
  bool reaches_all; /* each destination is known to have an edge */
} host_edge_list_parts;

/* Make lists by kind: lists along edges (between nodes, rows of edges, pairs and tables); lists of
 * nodes (types, graphs, parts); the entries of sparse features. */
status host_edge_list_of_edges(host_edge_list_parts *r, const char *kind);
status host_edge_list_of_nodes(host_edge_list_parts *r, const char *kind);
status host_edge_list_of_nonzeros(host_edge_list_parts *r);

/* Sets member weight or weights of an edge list that has all its entries; `rows` is the number of
 * destination rows. Sets neither where all weights are 1. */
status host_edge_list_weigh(host_edge_list_parts *r, int64_t rows);

/* out[i] = through[index[i]]; a NULL index is i, a NULL through changes nothing. No array is made
 * where none is needed, but for NULL of both: then 0, 1, 2, ... */
status host_edge_list_map(program_host *h, int64_t count, const int32_t *index, const int32_t *through,
                          const int32_t **out);

#endif
