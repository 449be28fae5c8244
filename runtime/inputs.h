/* Reads tensors from files in the form that the tables of a model require. */
#ifndef GNNC_RUNTIME_INPUTS_H
#define GNNC_RUNTIME_INPUTS_H

#include "data/receptive_field.h"
#include "data/tensor.h"
#include "runtime/gnnc/abi.h"

/* The files of a session. */
typedef struct inputs_source {
  const graph *graph;
  const tensor_set *weights; /* NULL: none given */
  const char *weights_path;
  const receptive_field *field; /* read only these rows of the graph; NULL: all */
} inputs_source;

/* Returns the graph that a session of these files runs on: that of the file, or its part. */
const graph *inputs_graph(const inputs_source *from);

/* Returns the number of rows of a tensor of the model for this graph; 1 for GNNC_ROWS_ONE. */
int64_t inputs_rows(const gnnc_tensor_info *info, const graph *g);
/* The numbers of one row. */
int64_t inputs_row_elements(const gnnc_tensor_info *info);

/* Checks integers that pick rows of tables: element i of each row is in ranges[2 * i] to
 * ranges[2 * i + 1]. NULL: any. The message names field, row, value and range. */
status inputs_check_ranges(arena *a, const char *field, const int32_t *values, int64_t rows, int64_t elements,
                           const int32_t *ranges);

/* Finds, checks and converts an input or weight. *out is an array of floats, of int32_t for integers, or a gnnc_csr if the
 * model requires one; it is in the arena or in the mapped file. Fails for a missing tensor and for
 * a wrong type or shape; messages name file and tensor. With a field the shape is that of the whole
 * graph, and rows are those of the part. */
status inputs_read(arena *a, const inputs_source *from, const gnnc_tensor_info *info, const void **out);

#endif
