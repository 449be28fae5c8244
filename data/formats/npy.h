/* One numpy array in the .npy format, versions 1 to 3. */
#ifndef GNNC_DATA_FORMATS_NPY_H
#define GNNC_DATA_FORMATS_NPY_H

#include "data/tensor.h"

/* Reads an array of numbers in row-major order and the machine's byte order: in place where the
 * file has it so, else converted in the arena. The name is left to the caller. An array of objects
 * or strings fails with STATUS_CODE_unsupported. */
status npy_parse(arena *a, const unsigned char *bytes, size_t size, tensor *out);

#endif
