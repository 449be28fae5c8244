/* A named tensor and a set of them with metadata: what a safetensors file holds, what importers and
 * generators make. */
#ifndef GNNC_DATA_TENSOR_H
#define GNNC_DATA_TENSOR_H

#include "data/dtype.h"
#include "support/arena.h"
#include "support/file.h"
#include "support/map.h"
#include "support/status.h"

#include <stdint.h>

enum { TENSOR_MAX_RANK = 8 };

/* Row-major elements, little-endian as in the file. `data` may be unaligned: read it with
 * data/convert.h. */
typedef struct tensor {
  const char *name;
  dtype dtype;
  int32_t rank;
  int64_t dims[TENSOR_MAX_RANK];
  int64_t count; /* product of dims; 1 for rank 0 */
  size_t bytes;
  const unsigned char *data;
} tensor;

typedef struct tensor_metadata {
  const char *key;
  const char *value;
} tensor_metadata;

/* Names are unique. Made by tensor_set_create or a reader; everything in it lives as long as it
 * does. */
typedef struct tensor_set {
  arena *memory;
  const char *name; /* for messages: the path it was read from, or a description */
  tensor *tensors;
  size_t count, capacity;
  tensor_metadata *metadata;
  size_t metadata_count, metadata_capacity;
  map metadata_slots; /* by key: 1 + index */
  uint32_t *slots;    /* tensors by name: 1 + index, open addressing; 0 = free */
  size_t slot_count;
  file_mapping mapping; /* of the file, where tensors point into one */
} tensor_set;

/* Returns an empty set, owned by the caller. */
tensor_set *tensor_set_create(const char *name);
/* Frees the set, its tensors and its mapping; NULL is allowed. */
void tensor_set_destroy(tensor_set *set);

/* Computes the elements and bytes of a shape; fails when a size is negative or does not fit into
 * memory. */
status tensor_measure(dtype d, int32_t rank, const int64_t *dims, int64_t *count, size_t *bytes);

/* Adds a tensor with zeroed storage; `*data` is where to write its elements. Fails on a duplicate
 * name, a bad shape, or when memory is out. */
status tensor_set_add(tensor_set *set, const char *name, dtype d, int32_t rank, const int64_t *dims, void **data);

/* Adds a tensor whose storage lives as long as the set and is `*t` otherwise (the name is
 * copied). */
status tensor_set_add_view(tensor_set *set, const tensor *t);

/* Returns the tensor of that name, or NULL. */
const tensor *tensor_set_find(const tensor_set *set, const char *name);

/* Sets or replaces a metadata entry; both strings are copied. */
void tensor_set_put_metadata(tensor_set *set, const char *key, const char *value);
void tensor_set_put_metadata_int(tensor_set *set, const char *key, int64_t value);

/* Returns the value of a metadata entry, or NULL; the _int form is false when there is none or it
 * is no whole number. */
const char *tensor_set_get_metadata(const tensor_set *set, const char *key);
bool tensor_set_get_metadata_int(const tensor_set *set, const char *key, int64_t *value);

/* The shape as text, "[2708, 1433]", in the arena. */
const char *tensor_shape_text(arena *a, const tensor *t);

#endif
