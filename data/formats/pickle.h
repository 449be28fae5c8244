/* Python pickles of protocols 2 to 4 as data. Nothing of Python is executed: a pickle of arrays,
 * lists and dictionaries is read, and any other one is refused.
 *
 *   import numpy; pickle.dumps(numpy.zeros(3), 2)
 *     GLOBAL "numpy.core.multiarray _reconstruct" ... REDUCE ... BUILD     an object with arguments and a state */
#ifndef GNNC_DATA_FORMATS_PICKLE_H
#define GNNC_DATA_FORMATS_PICKLE_H

#include "support/arena.h"
#include "support/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The Python objects that may occur: PICKLE_GLOBAL(id, module, name). */
#define PICKLE_GLOBALS(PICKLE_GLOBAL)                                                                                  \
  PICKLE_GLOBAL(defaultdict, "collections", "defaultdict")                                                             \
  PICKLE_GLOBAL(list, "__builtin__", "list")                                                                           \
  PICKLE_GLOBAL(list, "builtins", "list")                                                                              \
  PICKLE_GLOBAL(encode, "_codecs", "encode")                                                                           \
  PICKLE_GLOBAL(ndarray, "numpy", "ndarray")                                                                           \
  PICKLE_GLOBAL(dtype, "numpy", "dtype")                                                                               \
  PICKLE_GLOBAL(reconstruct, "numpy.core.multiarray", "_reconstruct")                                                  \
  PICKLE_GLOBAL(reconstruct, "numpy._core.multiarray", "_reconstruct")                                                 \
  PICKLE_GLOBAL(scalar, "numpy.core.multiarray", "scalar")                                                             \
  PICKLE_GLOBAL(scalar, "numpy._core.multiarray", "scalar")                                                            \
  PICKLE_GLOBAL(csr_matrix, "scipy.sparse.csr", "csr_matrix")                                                          \
  PICKLE_GLOBAL(csr_matrix, "scipy.sparse._csr", "csr_matrix")                                                         \
  PICKLE_GLOBAL(csr_matrix, "scipy.sparse._csr", "csr_array")

typedef enum pickle_global {
  PICKLE_none_global,
  PICKLE_defaultdict,
  PICKLE_list,
  PICKLE_encode,
  PICKLE_ndarray,
  PICKLE_dtype,
  PICKLE_reconstruct,
  PICKLE_scalar,
  PICKLE_csr_matrix
} pickle_global;

typedef enum pickle_kind {
  PICKLE_KIND_none,
  PICKLE_KIND_number, /* whole numbers, and truth values as 0 and 1 */
  PICKLE_KIND_real,
  PICKLE_KIND_string, /* text as UTF-8, or bytes */
  PICKLE_KIND_tuple,
  PICKLE_KIND_list,
  PICKLE_KIND_dict, /* items are keys and values in turn */
  PICKLE_KIND_global,
  PICKLE_KIND_object /* of a global; items are those that were set in it, as in a dict */
} pickle_kind;

typedef struct pickle_value {
  pickle_kind kind;
  pickle_global global;
  int64_t number;
  double real;
  const char *bytes; /* of a string, with size */
  size_t size;
  const struct pickle_value **items;
  size_t count, capacity;
  const struct pickle_value *arguments, *state; /* of an object; state is NULL without one */
} pickle_value;

/* Reads a pickle into the arena; strings point into `data`. Messages give the byte at which an
 * opcode or a global is refused. A value may contain itself. */
status pickle_parse(arena *a, const void *data, size_t size, const pickle_value **out);

/* Returns the value of a key of a dict, or NULL. */
const pickle_value *pickle_find(const pickle_value *dict, const char *key);

#endif
