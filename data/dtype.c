/* Lookups in the table of number types. */
#include "data/dtype.h"

#include <strings.h>

static const struct {
  const char *name;
  size_t bytes;
  dtype_class class;
} table[DTYPE_count] = {
#define DTYPE(name, bytes, class) {#name, bytes, DTYPE_CLASS_##class},
    DTYPE_TABLE(DTYPE)
#undef DTYPE
};

const char *dtype_name(dtype d) {
  return table[d].name;
}
size_t dtype_bytes(dtype d) {
  return table[d].bytes;
}
dtype_class dtype_get_class(dtype d) {
  return table[d].class;
}

bool dtype_parse(const char *name, dtype *out) {
  for (int i = 0; i < DTYPE_count; i++) {
    if (strcasecmp(table[i].name, name) != 0) continue;
    *out = (dtype)i;
    return true;
  }
  return false;
}
