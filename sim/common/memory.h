/* What the device's DDR holds: the sections of an image that are loaded, each from its address
 * on. */
#ifndef GNNC_SIM_COMMON_MEMORY_H
#define GNNC_SIM_COMMON_MEMORY_H

#include "isa/image/image.h"

typedef struct memory memory;

/* Instructions, descriptors, constants and edges with data stay where the image has them, and are
 * never written; weights are copied; sections without data start as zeros. Timing only: neither
 * weights nor features, nor edges without data, have any bytes. Fails when memory is out. */
status memory_create(const image *im, bool is_timing_only, memory **out);
void memory_destroy(memory *m);

/* Whether the bytes lie in one loaded section, whether or not they are there to be read. */
bool memory_covers(const memory *m, uint64_t address, uint64_t size);

/* The bytes at an address; NULL where they do not lie in one loaded section or have no contents in
 * timing-only mode. */
const unsigned char *memory_read(const memory *m, uint64_t address, uint64_t size);

/* The same for writing: NULL for what the image holds itself. is_store: by an instruction, so in
 * .features alone. */
unsigned char *memory_write(memory *m, uint64_t address, uint64_t size, bool is_store);

/* Bytes of the tensor (symbol in .features) that an address belongs to; 0 for none. */
uint64_t memory_tensor_bytes(const memory *m, uint64_t address);

#endif
