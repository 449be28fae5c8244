/* Arrays with an element per edge. The first touch of a small page costs 2 us per 4 KiB on common
 * virtual machines, more than all that is done with what lies in it; large pages cost a fifth. */
#ifndef GNNC_CODEGEN_DEVICE_HOST_HOST_MEMORY_H
#define GNNC_CODEGEN_DEVICE_HOST_HOST_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `count * size` bytes, aligned to 64, not zeroed, in large pages where that pays; to be freed with
 * free(). NULL when memory is out or the product overflows. */
void *host_memory_alloc(int64_t count, size_t size);

#endif
