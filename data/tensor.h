/* Named tensors, and sets of them with metadata: the content of a safetensors file, and the result
 * of importers and generators. */
#ifndef GNNC_DATA_TENSOR_H
#define GNNC_DATA_TENSOR_H

#include "data/dtype.h"
#include "support/arena.h"
#include "support/file.h"
#include "support/map.h"
#include "support/status.h"

#include <stdint.h>

enum { TENSOR_MAX_RANK = 8 };

/* Elements are row-major and little-endian, as in the file. `data` may be unaligned: data/convert.h
 * reads it. */
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

/* A set of tensors with unique names, made by tensor_set_create or by a reader. The set owns its
 * content. */
typedef struct tensor_set {
  arena *memory;
  const char *name; /* for messages: the path of the file, or a description */
  tensor *tensors;
  size_t count, capacity;
  tensor_metadata *metadata;
  size_t metadata_count, metadata_capacity;
  map metadata_slots; /* key -> 1 + index */
  uint32_t *slots;    /* 1 + index of a tensor, open addressing by name; 0: free */
  size_t slot_count;
  file_mapping mapping; /* the file, if tensors point into one */
} tensor_set;

/* Returns an empty set, owned by the caller. */
tensor_set *tensor_set_create(const char *name);
/* Frees the set, its tensors and its mapping; accepts NULL. */
void tensor_set_destroy(tensor_set *set);

/* Computes the number of elements and bytes of a shape. Fails when a size is negative, when there
 * are too many dimensions, or when the product is too large. */
status tensor_measure(dtype d, int32_t rank, const int64_t *dims, int64_t *count, size_t *bytes);

/* Adds a tensor with zeroed memory, and sets `*data` (if `data` is not NULL) to it. Fails for a
 * name that exists, for an invalid shape, or when memory is out. */
status tensor_set_add(tensor_set *set, const char *name, dtype d, int32_t rank, const int64_t *dims, void **data);

/* Adds a copy of `*t`, whose elements must live as long as the set; the name is copied. Fails for a
 * name that exists. */
status tensor_set_add_view(tensor_set *set, const tensor *t);

/* Returns the tensor of that name, or NULL. */
const tensor *tensor_set_find(const tensor_set *set, const char *name);

/* Sets or replaces a metadata entry; both strings are copied. */
void tensor_set_put_metadata(tensor_set *set, const char *key, const char *value);
void tensor_set_put_metadata_int(tensor_set *set, const char *key, int64_t value);

/* Return the value of a metadata entry. The first returns NULL when there is no such entry; the
 * second returns false also when the value is not a whole number. */
const char *tensor_set_get_metadata(const tensor_set *set, const char *key);
bool tensor_set_get_metadata_int(const tensor_set *set, const char *key, int64_t *value);

/* Returns the shape as text, "[2708, 1433]", in the arena. */
const char *tensor_shape_text(arena *a, const tensor *t);

#endif
