/* Huge pages for large blocks. A block of 1 GiB has 262,144 pages of 4 KiB: the first use of each
 * page takes time, and random accesses miss the TLB. */
#ifndef GNNC_SUPPORT_HUGE_PAGES_H
#define GNNC_SUPPORT_HUGE_PAGES_H

#include <stddef.h>

/* Asks the system to use huge pages for a block that was not written to yet. Does nothing for
 * blocks below 8 MiB, for NULL, and on systems without huge pages. */
void huge_pages_advise(void *block, size_t bytes);

/* Returns a block that is aligned to 64 bytes, is not empty and is freed with free; NULL when memory
 * is out. Asks for huge pages as above. */
void *huge_pages_allocate(size_t bytes);

#endif
