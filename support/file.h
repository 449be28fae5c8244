/* Whole files: read, mapped read-only, and written so that an interrupted run leaves the old
 * file. */
#ifndef GNNC_SUPPORT_FILE_H
#define GNNC_SUPPORT_FILE_H

#include "support/arena.h"
#include "support/status.h"

#include <stddef.h>

/* Reads the file (or standard input for "-") into the arena, NUL-terminated behind `*size`
 * bytes. */
status file_read(arena *a, const char *path, char **data, size_t *size);

/* A read-only mapping; `data` is NULL for an empty file. */
typedef struct file_mapping {
  const unsigned char *data;
  size_t size;
} file_mapping;
status file_map(const char *path, file_mapping *mapping);
void file_unmap(file_mapping *mapping);

/* Writes `path` in one step: a temporary beside it, flushed, then renamed. On failure nothing at
 * `path` changes and the temporary is removed. "-" writes to standard output; a path that is a
 * device or a pipe is written in place. */
status file_write(const char *path, const void *data, size_t size);

/* The same in pieces: open, write any number of times, then commit or abandon (both free the
 * writer). */
typedef struct file_writer file_writer;
status file_writer_open(const char *path, file_writer **writer);
status file_writer_write(file_writer *w, const void *data, size_t size);
/* The temporary's descriptor, for libraries that write themselves, before anything else was
 * written; -1 where the target is written in place (a pipe, a device). It stays the writer's. */
int file_writer_descriptor(const file_writer *w);
status file_writer_commit(file_writer *w);
void file_writer_abandon(file_writer *w);

#endif
