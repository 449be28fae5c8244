/* Large pages for large blocks: a block of a gigabyte is a quarter of a million small pages, and both
 * the first use of each and random accesses to them cost time. */
#ifndef GNNC_SUPPORT_HUGE_PAGES_H
#define GNNC_SUPPORT_HUGE_PAGES_H

#include <stddef.h>

/* Asks the system for large pages in a block that nothing was written to yet. Small blocks are left
 * alone, and systems without large pages, too. */
void huge_pages_advise(void *block, size_t bytes);

#endif
