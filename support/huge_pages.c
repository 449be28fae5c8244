/* Calls madvise for the whole pages of a block: see huge_pages.h. */
#include "support/huge_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { WORTH_ASKING = 8 << 20, PAGE_BYTES = 4096 };

void huge_pages_advise(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (!block || bytes < WORTH_ASKING) return;
  size_t skipped = (PAGE_BYTES - (uintptr_t)block % PAGE_BYTES) % PAGE_BYTES;
  (void)madvise((char *)block + skipped, (bytes - skipped) / PAGE_BYTES * PAGE_BYTES, MADV_HUGEPAGE);
#else
  (void)block, (void)bytes;
#endif
}

void *huge_pages_allocate(size_t bytes) {
  void *block = aligned_alloc(64, (bytes / 64 + 1) * 64);
  huge_pages_advise(block, bytes);
  return block;
}
