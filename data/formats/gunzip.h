/* Files that are compressed by gzip, as many edge lists are. */
#ifndef GNNC_DATA_FORMATS_GUNZIP_H
#define GNNC_DATA_FORMATS_GUNZIP_H

#include "support/arena.h"
#include "support/status.h"

#include <stdbool.h>

/* Whether the bytes begin like a gzip file. */
bool gunzip_is_packed(const void *bytes, size_t size);

/* Decompresses into the arena and puts a NUL behind the `*out_size` bytes. Fails for broken data,
 * for data that expand to a suspicious size, and when memory is out. */
status gunzip_unpack(arena *a, const void *bytes, size_t size, char **out, size_t *out_size);

#endif
