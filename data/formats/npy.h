/* One numpy array in the .npy format, versions 1 to 3. */
#ifndef GNNC_DATA_FORMATS_NPY_H
#define GNNC_DATA_FORMATS_NPY_H

#include "data/tensor.h"

/* Reads an array of numbers in row-major order and the byte order of the machine: in place if the
 * file has this order, else as a copy in the arena. The caller sets the name. Fails with
 * STATUS_CODE_unsupported for arrays of objects or strings, and with a message for a broken
 * file. */
status npy_parse(arena *a, const unsigned char *bytes, size_t size, tensor *out);

#endif
