/* One numpy array in the .npy format, versions 1 to 3. */
#ifndef GNNC_DATA_FORMATS_NPY_H
#define GNNC_DATA_FORMATS_NPY_H

#include "data/tensor.h"

#include <stdbool.h>

/* Reads an array of numbers in row-major order and the byte order of the machine: in place if the
 * file has this order, else as a copy in the arena. The caller sets the name. Fails with
 * STATUS_CODE_unsupported for arrays of objects or strings, and with a message for a broken
 * file. */
status npy_parse(arena *a, const unsigned char *bytes, size_t size, tensor *out);

/* The storage of an array, as its dictionary states it. */
typedef struct npy_form {
  char order; /* '<' '>' '|' '=' */
  char kind;  /* 'f' 'i' 'u' 'b'; other kinds are not numbers */
  size_t element_bytes;
  bool is_fortran;
} npy_form;

/* The same for elements of a known form; `out` has rank and dims, and receives the rest. */
status npy_take(arena *a, const npy_form *form, const unsigned char *bytes, size_t size, tensor *out);

#endif
