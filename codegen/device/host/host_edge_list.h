/* Edge lists of device.edges, made on the host: what edge list*.c share. */
#ifndef GNNC_CODEGEN_DEVICE_HOST_HOST_EDGE_LIST_H
#define GNNC_CODEGEN_DEVICE_HOST_HOST_EDGE_LIST_H

#include "codegen/device/host/host_private.h"

/* An edge list in the making. Entry i leads from row src[i] to row dst[i], edge[i] of the graph
 * (NULL: i). */
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
  bool reaches_all; /* destinations are known to have an edge each */
} host_edge_list_parts;

/* By kind: lists between nodes, between nodes and rows of edges, between edges and pairs or tables,
 * between nodes; the entries of sparse features. */
status host_edge_list_of_edges(host_edge_list_parts *r, const char *kind);
status host_edge_list_of_nodes(host_edge_list_parts *r, const char *kind);
status host_edge_list_of_nonzeros(host_edge_list_parts *r);

/* Sets weight or weights of an edge list with all its entries, to `rows` rows; neither where all
 * weights are 1. */
status host_edge_list_weigh(host_edge_list_parts *r, int64_t rows);

/* out[i] = through[index[i]]; a NULL index is i, a NULL through changes nothing. No array is made
 * where none is needed, but for NULL of both: then 0, 1, 2, ... */
status host_edge_list_map(program_host *h, int64_t count, const int32_t *index, const int32_t *through,
                          const int32_t **out);

#endif
