/* Blocks in the pages of one file, which a shared mapping shows in the address space: the system writes them to the disk and
 * reads them again as it needs memory for others. Small blocks share a chunk. */
#include "support/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20, ALIGNMENT = 64 };

typedef struct chunk {
  struct chunk *next;
  char *bytes;
  size_t size, used;
} chunk;

struct spill {
  int file;
  size_t size;
  chunk *chunks; /* the one that is being filled first */
};

status spill_open(const char *folder, spill **out) {
  *out = NULL;
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/gnnc-spill-XXXXXX", folder) >= (int)sizeof path)
    return status_error(STATUS_CODE_io, "the name of folder '%.60s...' is too long", folder);
  int file = mkstemp(path);
  if (file < 0) return status_error(STATUS_CODE_io, "cannot make a file in '%s': %s", folder, strerror(errno));
  unlink(path);
  spill *s = calloc(1, sizeof *s);
  if (!s) {
    close(file);
    return status_error(STATUS_CODE_memory, "out of memory");
  }
  s->file = file;
  *out = s;
  return STATUS_OK;
}

/* Adds pages to the file and shows them. The disk reserves them now: a page without a place would end the program later. */
static chunk *add_chunk(spill *s, size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (bytes > SIZE_MAX / 2) return NULL;
  const size_t size = (bytes + page - 1) / page * page;
  chunk *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  void *shown = MAP_FAILED;
  if (!posix_fallocate(s->file, (off_t)s->size, (off_t)size))
    shown = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->file, (off_t)s->size);
  if (shown == MAP_FAILED) {
    free(c);
    return NULL;
  }
  *c = (chunk){.next = s->chunks, .bytes = shown, .size = size};
  s->size += size;
  if (!s->chunks || bytes <= CHUNK_BYTES || s->chunks->used == s->chunks->size) {
    s->chunks = c;
  } else { /* the rest of the chunk that is being filled stays in use */
    c->next = s->chunks->next;
    s->chunks->next = c;
  }
  return c;
}

void *spill_allocate(spill *s, size_t bytes) {
  if (bytes > SIZE_MAX - ALIGNMENT) return NULL;
  bytes = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
  chunk *c = s->chunks;
  if (!c || c->size - c->used < bytes) c = add_chunk(s, bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES);
  if (!c) return NULL;
  void *result = c->bytes + c->used;
  c->used += bytes;
  return result;
}

void spill_release(spill *s) {
  for (chunk *c = s->chunks; c; c = c->next) madvise(c->bytes, c->size, MADV_DONTNEED);
}

size_t spill_size(const spill *s) {
  return s->size;
}

void spill_close(spill *s) {
  if (!s) return;
  for (chunk *c = s->chunks, *next; c; c = next) {
    next = c->next;
    munmap(c->bytes, c->size);
    free(c);
  }
  close(s->file);
  free(s);
}
