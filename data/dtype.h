/* The number types of tensor files, with the names of safetensors ("F32", "I64", ...). */
#ifndef GNNC_DATA_DTYPE_H
#define GNNC_DATA_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

/* DTYPE(name, bytes of an element, class). The class decides how an element is read. */
#define DTYPE_TABLE(DTYPE)                                                                                             \
  DTYPE(BOOL, 1, unsigned)                                                                                             \
  DTYPE(U8, 1, unsigned)                                                                                               \
  DTYPE(I8, 1, signed)                                                                                                 \
  DTYPE(F8_E5M2, 1, opaque)                                                                                            \
  DTYPE(F8_E4M3, 1, opaque)                                                                                            \
  DTYPE(I16, 2, signed)                                                                                                \
  DTYPE(U16, 2, unsigned)                                                                                              \
  DTYPE(F16, 2, float)                                                                                                 \
  DTYPE(BF16, 2, float)                                                                                                \
  DTYPE(I32, 4, signed)                                                                                                \
  DTYPE(U32, 4, unsigned)                                                                                              \
  DTYPE(F32, 4, float)                                                                                                 \
  DTYPE(I64, 8, signed)                                                                                                \
  DTYPE(U64, 8, unsigned)                                                                                              \
  DTYPE(F64, 8, float)

typedef enum dtype {
#define DTYPE(name, bytes, class) DTYPE_##name,
  DTYPE_TABLE(DTYPE)
#undef DTYPE
      DTYPE_count
} dtype;

/* Tensors of an opaque type are copied, but never computed with. */
typedef enum dtype_class {
  DTYPE_CLASS_unsigned,
  DTYPE_CLASS_signed,
  DTYPE_CLASS_float,
  DTYPE_CLASS_opaque
} dtype_class;

/* Return the name in a file, the bytes of an element, and the class. */
const char *dtype_name(dtype d);
size_t dtype_bytes(dtype d);
dtype_class dtype_get_class(dtype d);

/* Finds a type by its name in upper or lower case. Returns false for an unknown name. */
bool dtype_parse(const char *name, dtype *out);

#endif
