/* The graph container: a checked view of a tensor set with the field names of PyTorch Geometric.
 *
 *   edge_index [2, E]   row 0 source, row 1 target    edge_type [E]   node_type [N]   edge_weight [E]
 *   batch [N] / ptr [G + 1]                           x [N, F] and/or x_indptr, x_indices, x_data; any other tensor
 *
 * Opening a graph checks shapes, edges, types, edge weights and batches. It does not read features,
 * so it is fast. */
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
  const int32_t *batch;     /* [num_nodes] index of the graph of each node, or NULL */
  int64_t num_graphs;       /* 0 if batch is NULL */
  int64_t num_edge_types;   /* metadata num_relations or num_edge_types, else the largest type + 1; 0: no types */
  /* metadata num_node_types, else the largest type + 1; 0: no types */
  int64_t num_node_types;
} graph;

/* Maps and checks a graph file. The caller owns the graph and closes it with graph_close. The
 * message of a failure names the file, the field, the found and the expected value. */
status graph_open(const char *path, graph **out);

/* The same for a tensor set, which the caller keeps as long as the graph. */
status graph_create(tensor_set *tensors, graph **out);

/* Frees the graph, and its tensors if graph_open made it; NULL is allowed. */
void graph_close(graph *g);

/* The storage of a field, as the header of the file describes it. A sparse field "x" consists of
 * x_indptr, x_indices and x_data. If a field has a dense and a sparse form, this is the sparse
 * one. */
typedef struct graph_field {
  bool is_sparse;
  dtype dtype;
  int32_t rank;
  int64_t dims[TENSOR_MAX_RANK]; /* sparse: rows, columns */
  int64_t nonzeros;              /* sparse: stored entries; dense: -1 */
} graph_field;

/* Finds a field by name; false when the file has neither form. The number of columns of a sparse
 * field is that of its dense form, else (for "x") metadata num_features, else the largest index +
 * 1. */
bool graph_find_field(const graph *g, const char *name, graph_field *out);

/* A sparse matrix in CSR form, as the C back end uses it: row r has the entries indptr[r] ..
 * indptr[r + 1] - 1. */
typedef struct graph_csr {
  int64_t rows, columns, nonzeros;
  const int64_t *indptr;
  const int32_t *indices;
  const float *data;
} graph_csr;

/* Reads and checks the sparse form of a field; the arrays are in the arena or in the file. indptr
 * must rise from 0 to the number of entries; the columns of a row must be in range and strictly
 * ascending. */
status graph_read_csr(const graph *g, arena *a, const char *name, graph_csr *out);

/* Reads a field as dense f32 rows, in the arena or in the file; a field with only a sparse form is
 * expanded. `*field` (may be NULL) receives the shape. */
status graph_read_dense(const graph *g, arena *a, const char *name, graph_field *field, const float **out);

/* Fails if a field has both forms and they differ; the message names the first different
 * element. */
status graph_check_forms(const graph *g, const char *name);

/* Returns the XXH3 hash of counts, edges, edge types and edge weights, without features; 0 when
 * memory is out. */
uint64_t graph_fingerprint(const graph *g);

/* Computes the XXH3 hash of a field that a program contains although the fingerprint of the graph
 * does not cover it: "batch", "node_type", the entries of a sparse field, the numbers of a dense
 * one. The hash is 0 for a graph without batch or node types; any other missing field is an
 * error. */
status graph_field_fingerprint(const graph *g, const char *name, uint64_t *out);

#endif
