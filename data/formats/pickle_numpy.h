/* Arrays of numpy and sparse matrices of scipy in pickles. */
#ifndef GNNC_DATA_FORMATS_PICKLE_NUMPY_H
#define GNNC_DATA_FORMATS_PICKLE_NUMPY_H

#include "data/formats/pickle.h"
#include "data/tensor.h"

/* Reads an array, in place or as a copy in the arena; the name is empty. Fails for a value that is
 * no array of numbers. */
status pickle_read_array(arena *a, const pickle_value *v, tensor *out);

/* A sparse matrix in CSR form. Indices are in range, indptr rises; rows need not be sorted. */
typedef struct pickle_csr {
  int64_t rows, columns, entries;
  const int64_t *indptr;
  const int32_t *indices;
  const float *data;
} pickle_csr;
status pickle_read_csr(arena *a, const pickle_value *v, pickle_csr *out);

/* Reads a whole number, of Python or of numpy; false for other values. */
bool pickle_read_number(const pickle_value *v, int64_t *out);

#endif
