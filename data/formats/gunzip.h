/* Files packed with gzip, as edge lists are often handed out. */
#ifndef GNNC_DATA_FORMATS_GUNZIP_H
#define GNNC_DATA_FORMATS_GUNZIP_H

#include "support/arena.h"
#include "support/status.h"

#include <stdbool.h>

/* Whether the bytes begin as a gzip file does. */
bool gunzip_is_packed(const void *bytes, size_t size);

/* Unpacks into the arena, NUL-terminated behind `*out_size` bytes. */
status gunzip_unpack(arena *a, const void *bytes, size_t size, char **out, size_t *out_size);

#endif
