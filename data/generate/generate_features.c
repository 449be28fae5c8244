/* Makes the node tensors of synthetic graphs. Features are positive, like counts, so that the
 * normalisation of a row is well defined. */
#include "data/generate/generate_features.h"

#include <inttypes.h>
#include <stdlib.h>

/* The random streams of the nodes, separate from those of the edges. */
enum { PURPOSE_values = 100, PURPOSE_places, PURPOSE_lengths, PURPOSE_labels, PURPOSE_masks };

float generate_positive(random_state *r) {
  return (float)((random_next(r) >> 40) + 1) * 0x1p-24f;
}

static status make_dense(const generate_options *o, tensor_set *set) {
  void *data;
  RETURN_IF_ERROR(tensor_set_add(set, "x", DTYPE_F32, 2, (int64_t[]){o->num_nodes, o->num_features}, &data));
  random_state values = random_create(o->seed, PURPOSE_values);
  float *x = data;
  for (int64_t i = 0; i < o->num_nodes * o->num_features; i++) x[i] = generate_positive(&values);
  return STATUS_OK;
}

static int compare_columns(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Chooses `count` different columns by Floyd's algorithm and sorts them. `taken_by` has 1 + the
 * last row that took each column. */
static void choose_columns(random_state *r, int64_t columns, int64_t count, int64_t row, int32_t *taken_by,
                           int32_t *out) {
  int64_t chosen = 0;
  for (int64_t last = columns - count; last < columns; last++) {
    int64_t column = (int64_t)random_below(r, (uint64_t)last + 1);
    if (taken_by[column] == (int32_t)(row + 1)) column = last;
    taken_by[column] = (int32_t)(row + 1);
    out[chosen++] = (int32_t)column;
  }
  qsort(out, (size_t)count, sizeof *out, compare_columns);
}

static status make_sparse(const generate_options *o, tensor_set *set) {
  void *indptr, *indices, *data;
  double mean = (double)o->num_features * o->density;
  int64_t whole = (int64_t)mean;
  random_state lengths = random_create(o->seed, PURPOSE_lengths);
  RETURN_IF_ERROR(tensor_set_add(set, "x_indptr", DTYPE_I64, 1, (int64_t[]){o->num_nodes + 1}, &indptr));
  int64_t *begins = indptr;
  for (int64_t n = 0; n < o->num_nodes; n++)
    begins[n + 1] = begins[n] + whole + (random_unit(&lengths) < mean - (double)whole);
  int64_t entries = begins[o->num_nodes];
  RETURN_IF_ERROR(tensor_set_add(set, "x_indices", DTYPE_I32, 1, &entries, &indices));
  RETURN_IF_ERROR(tensor_set_add(set, "x_data", DTYPE_F32, 1, &entries, &data));
  int32_t *taken_by = calloc((size_t)o->num_features, sizeof *taken_by);
  if (!taken_by)
    return status_error(STATUS_CODE_memory, "%" PRId64 " features do not fit into memory", o->num_features);
  random_state places = random_create(o->seed, PURPOSE_places), values = random_create(o->seed, PURPOSE_values);
  for (int64_t n = 0; n < o->num_nodes; n++)
    choose_columns(&places, o->num_features, begins[n + 1] - begins[n], n, taken_by, (int32_t *)indices + begins[n]);
  free(taken_by);
  for (int64_t i = 0; i < entries; i++) ((float *)data)[i] = generate_positive(&values);
  return STATUS_OK;
}

static status make_labels(const generate_options *o, tensor_set *set) {
  static const char *const names[3] = {"train_mask", "val_mask", "test_mask"};
  void *labels, *masks[3];
  RETURN_IF_ERROR(tensor_set_add(set, "y", DTYPE_I32, 1, &o->num_nodes, &labels));
  for (int i = 0; i < 3; i++) RETURN_IF_ERROR(tensor_set_add(set, names[i], DTYPE_U8, 1, &o->num_nodes, &masks[i]));
  random_state classes = random_create(o->seed, PURPOSE_labels), splits = random_create(o->seed, PURPOSE_masks);
  for (int64_t n = 0; n < o->num_nodes; n++) {
    ((int32_t *)labels)[n] = (int32_t)random_below(&classes, (uint64_t)o->num_classes);
    uint64_t split = random_below(&splits, 10); /* 60, 20 and 20 percent */
    ((unsigned char *)masks[split < 6 ? 0 : split < 8 ? 1 : 2])[n] = 1;
  }
  return STATUS_OK;
}

/* Groups the nodes by type; the sizes of the groups differ by at most one. */
static status make_types(const generate_options *o, tensor_set *set) {
  void *types, *ptr;
  RETURN_IF_ERROR(tensor_set_add(set, "node_type", DTYPE_I32, 1, &o->num_nodes, &types));
  RETURN_IF_ERROR(tensor_set_add(set, "node_type_ptr", DTYPE_I32, 1, (int64_t[]){o->num_node_types + 1}, &ptr));
  for (int64_t t = 0; t < o->num_node_types; t++) {
    int64_t begin = o->num_nodes * t / o->num_node_types, end = o->num_nodes * (t + 1) / o->num_node_types;
    for (int64_t n = begin; n < end; n++) ((int32_t *)types)[n] = (int32_t)t;
    ((int32_t *)ptr)[t + 1] = (int32_t)end;
  }
  return STATUS_OK;
}

status generate_node_tensors(const generate_options *o, tensor_set *set) {
  if (o->num_features) {
    RETURN_IF_ERROR(o->density < 1 ? make_sparse(o, set) : make_dense(o, set));
    tensor_set_put_metadata_int(set, "num_features", o->num_features);
  }
  if (o->num_classes) {
    RETURN_IF_ERROR(make_labels(o, set));
    tensor_set_put_metadata_int(set, "num_classes", o->num_classes);
  }
  if (o->num_node_types) {
    RETURN_IF_ERROR(make_types(o, set));
    tensor_set_put_metadata_int(set, "num_node_types", o->num_node_types);
  }
  return STATUS_OK;
}
