/* A sparse matrix as a list of its entries, read from a file of any format. */
#ifndef GNNC_DATA_SPARSE_MATRIX_H
#define GNNC_DATA_SPARSE_MATRIX_H

#include "data/load.h"

typedef struct sparse_matrix {
  int64_t rows, columns, count;
  const int32_t *row, *column; /* [count] in the order of the file; a place may have several entries, which add up */
  const float *value;          /* [count] none is +0.0; -0.0, infinities and NaN are entries */
  int64_t num_zeros;           /* entries +0.0 of the file, which are left out */
} sparse_matrix;

/* Reads a matrix from a file ("-" = standard input); with `format` unknown its name decides.
 *
 *   Matrix Market, scipy.sparse.save_npz    the matrix; 1.0 for entries without values; symmetric
 *                                           matrices are mirrored, skew-symmetric ones with the sign
 *   safetensors or text, adj_indptr, ...    the matrix in CSR form, with metadata rows and cols
 *   graphs, lists of edges, triples         A[target, source] = weight of the edge, or 1.0
 *
 * Numbers of nodes in lists of edges are kept, so that nodes without edges are empty rows and
 * columns. The arrays are in the arena. Messages name the file, and the line of a text file. */
status sparse_matrix_read(arena *a, const char *path, load_format format, thread_pool *pool, sparse_matrix *out);

/* The same for tensors in memory. */
status sparse_matrix_of_tensors(arena *a, tensor_set *set, sparse_matrix *out);

#endif
