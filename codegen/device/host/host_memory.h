/* Allocates arrays with an element per edge. The first access to a small page costs 2 us per 4 KiB
 * on common virtual machines, more than the computations on its contents; large pages cost a fifth. */
#ifndef GNNC_CODEGEN_DEVICE_HOST_HOST_MEMORY_H
#define GNNC_CODEGEN_DEVICE_HOST_HOST_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Returns `count * size` bytes, aligned to 64, not zeroed, in large pages where they save time. The
 * caller frees them with free(). NULL when there is no memory or the product overflows. */
void *host_memory_alloc(int64_t count, size_t size);

#endif
