/* Allocates large arrays in large pages: see host_memory.h. */
#include "codegen/device/host/host_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

void *host_memory_alloc(int64_t count, size_t size) {
  size_t bytes;
  if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes) || bytes > PTRDIFF_MAX - LARGE_PAGE) return NULL;
  size_t alignment = bytes >= LARGE_PAGE ? LARGE_PAGE : 64;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  void *made = aligned_alloc(alignment, bytes ? bytes : alignment);
#ifdef MADV_HUGEPAGE
  if (made && alignment == LARGE_PAGE)
    (void)madvise(made, bytes, MADV_HUGEPAGE); /* a hint: a refusal costs only time */
#endif
  return made;
}
