/* Edge lists of graphagile.relation, made on the host: what relation*.c share. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_RELATION_H
#define GNNC_CODEGEN_GRAPHAGILE_RELATION_H

#include "codegen/device/host_private.h"

/* A relation in the making. Entry i leads from row src[i] to row dst[i], edge[i] of the graph (NULL: i). */
typedef struct relation_parts {
  overlay_host *host;
  MlirOperation op;
  const char *from, *to; /* sets of rows */
  int64_t count;
  const int32_t *src, *dst, *edge;
  int64_t loops; /* as in overlay_relation */
  const int32_t *loop;
  const float *weight;
  overlay_weights weights;
  bool reaches_all; /* destinations are known to have an edge each */
} relation_parts;

/* By kind: lists between nodes, between nodes and rows of edges, between edges and pairs or tables, between nodes; the entries of sparse features. */
status relation_of_edges(relation_parts *r, const char *kind);
status relation_of_nodes(relation_parts *r, const char *kind);
status relation_of_nonzeros(relation_parts *r);

/* Sets weight or weights of a relation with all its entries, to `rows` rows; neither where all weights are 1. */
status relation_weigh(relation_parts *r, int64_t rows);

/* out[i] = through[index[i]]; a NULL index is i, a NULL through changes nothing. No array is made where none is needed, but for NULL of both: then 0, 1, 2, ... */
status relation_map(overlay_host *h, int64_t count, const int32_t *index, const int32_t *through, const int32_t **out);

#endif
