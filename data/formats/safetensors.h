/* The safetensors file format: u64 header length, JSON header, raw little-endian tensors.
 *
 * Reading maps the file and checks everything the header says before anything is used: its length,
 * types, shapes, that the tensors fill the data section without overlap or hole, and that no name
 * appears twice. */
#ifndef GNNC_DATA_FORMATS_SAFETENSORS_H
#define GNNC_DATA_FORMATS_SAFETENSORS_H

#include "data/tensor.h"

/* Maps the file; the tensors of the set point into it. The caller owns the set. No tensor data is
 * touched. */
status safetensors_open(const char *path, tensor_set **set);

/* The same for bytes that live longer than the set. */
status safetensors_parse(const char *name, const void *bytes, size_t size, tensor_set **set);

/* Writes the set in one step (support/file.h): header padded to 8 bytes, tensors by falling element
 * size, then by name, metadata by key. Same set, same bytes. */
status safetensors_write(const char *path, const tensor_set *set);

#endif
