/* Sparse features of a graph, made row by row: x_indptr, x_indices, x_data and metadata
 * num_features. */
#ifndef GNNC_DATA_FEATURE_ROWS_H
#define GNNC_DATA_FEATURE_ROWS_H

#include "data/sparse_matrix.h"
#include "data/tensor.h"

typedef struct feature_entry {
  int32_t column;
  float value;
} feature_entry;

typedef struct feature_rows {
  tensor_set *set;
  int64_t *indptr; /* of the set */
  int64_t rows, kept;
  feature_entry *entries;
} feature_rows;

/* Begins features with `rows` rows and at most `most` entries, whose memory is in the arena until
 * the end. Fails when memory is out, or when the set has x_indptr. */
status feature_rows_begin(arena *a, tensor_set *set, int64_t rows, int64_t most, feature_rows *out);

/* Adds the next row; its columns may be in any order, and values of equal columns are added up. */
void feature_rows_add(feature_rows *f, const int32_t *columns, const float *values, int64_t count);

/* Adds the tensors to the set after the last row. */
status feature_rows_finish(feature_rows *f, int64_t columns);

/* Adds a whole matrix as features. */
status feature_rows_add_matrix(arena *a, const sparse_matrix *m, tensor_set *set);

#endif
