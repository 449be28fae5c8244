/* Memory in a file: blocks whose pages may leave the memory of the machine at any time, and come back when they are used. For
 * values that are larger than memory together, but are used part by part.
 *
 *   spill *s;
 *   status failed = spill_open("/scratch", &s);
 *   float *rows = spill_allocate(s, bytes);  ...  spill_release(s);  ...  spill_close(s);
 *
 * A spill belongs to one thread at a time. */
#ifndef GNNC_SUPPORT_SPILL_H
#define GNNC_SUPPORT_SPILL_H

#include "support/status.h"

#include <stddef.h>

typedef struct spill spill;

/* Makes an empty file without a name in a folder; it goes with the program, however that ends. The message of a failure names
 * the folder. The caller closes *out. */
status spill_open(const char *folder, spill **out);

/* Returns zeroed bytes, aligned to 64; NULL when the disk or the address space is full. */
void *spill_allocate(spill *s, size_t bytes);

/* Why allocations failed, with the folder: a text of the spill; NULL where none has failed. */
const char *spill_failure(const spill *s);

/* Lets the pages of all blocks go. They keep what they hold. */
void spill_release(spill *s);

/* The bytes of the file. */
size_t spill_size(const spill *s);

/* Frees all blocks; NULL is allowed. */
void spill_close(spill *s);

#endif
