/* Whole files: reading, mapping for reading, and writing such that an interrupted run leaves the
 * old file. */
#ifndef GNNC_SUPPORT_FILE_H
#define GNNC_SUPPORT_FILE_H

#include "support/arena.h"
#include "support/status.h"

#include <stddef.h>

/* Reads the file, or standard input for "-", into the arena and puts a NUL behind its `*size`
 * bytes. Fails when the file cannot be read or does not fit into memory; messages name the path. */
status file_read(arena *a, const char *path, char **data, size_t *size);

/* A read-only mapping of a file; `data` is NULL for an empty file. file_map accepts regular files
 * only; file_unmap ends the mapping and resets the struct. */
typedef struct file_mapping {
  const unsigned char *data;
  size_t size;
} file_mapping;
status file_map(const char *path, file_mapping *mapping);
void file_unmap(file_mapping *mapping);

/* Writes `path` in one step: writes a temporary file beside it and renames that. On failure the
 * file at `path` does not change and the temporary is removed. "-" stands for standard output; a
 * device or a pipe is written in place. */
status file_write(const char *path, const void *data, size_t size);

/* The same in pieces: open a writer, write any number of times, then commit or abandon. Both free
 * the writer, also when commit fails; abandon accepts NULL. */
typedef struct file_writer file_writer;
status file_writer_open(const char *path, file_writer **writer);
status file_writer_write(file_writer *w, const void *data, size_t size);
/* Returns the descriptor of the temporary, for a library that writes the file itself before any
 * other write; -1 when the target is written in place (standard output, a pipe, a device). The
 * writer keeps it and closes it. */
int file_writer_descriptor(const file_writer *w);
status file_writer_commit(file_writer *w);
void file_writer_abandon(file_writer *w);

#endif
