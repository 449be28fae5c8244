/* Reads and writes the safetensors file format: header length (u64), header in JSON, little-endian
 * tensors.
 *
 * Reading maps the file and checks the header before anything else uses it: its length, types and
 * shapes, that the tensors fill the data section without overlap or gap, and that no name appears
 * twice. */
#ifndef GNNC_DATA_FORMATS_SAFETENSORS_H
#define GNNC_DATA_FORMATS_SAFETENSORS_H

#include "data/tensor.h"

/* Maps the file; the tensors of the set point into it. The caller owns the set. Does not read the
 * elements. Messages name the path. */
status safetensors_open(const char *path, tensor_set **set);

/* The same for bytes in memory, which must outlive the set. */
status safetensors_parse(const char *name, const void *bytes, size_t size, tensor_set **set);

/* Writes the set in one step (support/file.h). Equal sets give equal bytes: the header is padded to
 * 8 bytes, tensors are sorted by descending element size and then by name, metadata by key. */
status safetensors_write(const char *path, const tensor_set *set);

#endif
