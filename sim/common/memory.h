/* The contents of the device's DDR: the loaded sections of an image, each at its address. */
#ifndef GNNC_SIM_COMMON_MEMORY_H
#define GNNC_SIM_COMMON_MEMORY_H

#include "isa/image/image.h"

typedef struct memory memory;

/* Creates the memory of an image. Instructions, descriptors, constants and edges stay in the image,
 * and are never written; weights are copied; sections without data start as zeros. With
 * is_timing_only, weights, features and edges without data have no bytes. The caller destroys it.
 * Fails when memory is out. */
status memory_create(const image *im, bool is_timing_only, memory **out);
void memory_destroy(memory *m);

/* Whether the bytes lie in one loaded section; they need not be there to be read. */
bool memory_covers(const memory *m, uint64_t address, uint64_t size);

/* The bytes at an address; NULL where they do not lie in one loaded section, or have no contents
 * because of is_timing_only. */
const unsigned char *memory_read(const memory *m, uint64_t address, uint64_t size);

/* The same for writing; NULL for bytes that the image owns. is_store: an instruction writes, which
 * is allowed in .features alone. */
unsigned char *memory_write(memory *m, uint64_t address, uint64_t size, bool is_store);

/* The bytes of the tensor (symbol in .features) that holds an address; 0 for none. */
uint64_t memory_tensor_bytes(const memory *m, uint64_t address);

#endif
