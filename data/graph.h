/* The graph container: a checked view of a tensor set with PyTorch Geometric's field names.
 *
 *   edge_index [2, E]   row 0 source, row 1 target    edge_type [E]   node_type [N]   edge_weight [E]
 *   batch [N] / ptr [G + 1]                           x [N, F] and/or x_indptr, x_indices, x_data; any other tensor
 *
 * Opening is cheap: the header, the edges and their types are checked, features are not touched. */
#ifndef GNNC_DATA_GRAPH_H
#define GNNC_DATA_GRAPH_H

#include "data/tensor.h"

typedef struct graph {
  arena *memory;
  tensor_set *tensors; /* all fields of the file */
  bool owns_tensors;
  const char *name; /* for messages */
  int64_t num_nodes;
  int64_t num_edges;
  const int32_t *src;       /* [num_edges], each in 0 .. num_nodes - 1 */
  const int32_t *dst;       /* [num_edges] */
  const int32_t *edge_type; /* [num_edges] or NULL */
  const int32_t *node_type; /* [num_nodes] or NULL */
  const float *edge_weight; /* [num_edges], no NaN, or NULL */
  const int32_t *batch;     /* [num_nodes] graph of each node, or NULL */
  int64_t num_graphs;       /* 0 where batch is NULL */
  int64_t num_edge_types;   /* 0 where edge_type is NULL; metadata num_relations, or the largest type + 1 */
  int64_t num_node_types;
} graph;

/* Maps and checks a graph file; owned by the caller. Fails with a message that names the file, the
 * field, what was found and what was expected. */
status graph_open(const char *path, graph **out);

/* The same for a set that the caller keeps for as long as the graph. */
status graph_create(tensor_set *tensors, graph **out);

void graph_close(graph *g);

/* How a field is stored, read from the header alone. A sparse field "x" is x_indptr, x_indices and
 * x_data; where a dense and a sparse form exist, it is the sparse one. */
typedef struct graph_field {
  bool is_sparse;
  dtype dtype;
  int32_t rank;
  int64_t dims[TENSOR_MAX_RANK]; /* sparse: rows, columns */
  int64_t nonzeros;              /* sparse: stored entries; dense: -1 */
} graph_field;

/* Finds a field by name; false when the file has neither form. The columns of a sparse field are
 * those of its dense form, else metadata num_features, else the largest index + 1. */
bool graph_find_field(const graph *g, const char *name, graph_field *out);

/* Sparse rows as the C back end takes them: row r holds entries indptr[r] .. indptr[r + 1] - 1. */
typedef struct graph_csr {
  int64_t rows, columns, nonzeros;
  const int64_t *indptr;
  const int32_t *indices;
  const float *data;
} graph_csr;

/* Reads and checks the sparse form of a field into the arena: indptr monotone from 0 to the
 * entries, columns in range and strictly increasing in a row. */
status graph_read_csr(const graph *g, arena *a, const char *name, graph_csr *out);

/* Reads a dense field as f32; expands a sparse one when there is no dense form. `*field` (may be
 * NULL) tells the shape. */
status graph_read_dense(const graph *g, arena *a, const char *name, graph_field *field, const float **out);

/* Fails when a field has both forms and they differ, naming the first element. */
status graph_check_forms(const graph *g, const char *name);

/* XXH3 over counts, edges, edge types and edge weights; features do not count. */
uint64_t graph_fingerprint(const graph *g);

/* XXH3 over one field that a program holds although it is no part of the graph's fingerprint:
 * "batch", "node_type", the entries of a sparse field, the numbers of a dense one. 0 for a graph
 * without batch or node types; fails where it has no other field of that name. */
status graph_field_fingerprint(const graph *g, const char *name, uint64_t *out);

#endif
