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
  char *folder;
  char failure[PATH_MAX + 200]; /* of the last allocation that failed; "": none has */
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
  char *kept = strdup(folder);
  if (!s || !kept) {
    close(file);
    free(s);
    free(kept);
    return status_error(STATUS_CODE_memory, "out of memory");
  }
  s->file = file;
  s->folder = kept;
  *out = s;
  return STATUS_OK;
}

static void *fail(spill *s, size_t bytes, const char *reason) {
  snprintf(s->failure, sizeof s->failure, "a file in '%s' has %zu bytes and needs %zu more: %s", s->folder, s->size,
           bytes, reason);
  return NULL;
}

/* Adds pages to the file and shows them. The disk reserves them now: a page without a place would end the program later. */
static chunk *add_chunk(spill *s, size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (bytes > SIZE_MAX / 2) return fail(s, bytes, "no disk is so large");
  const size_t size = (bytes + page - 1) / page * page;
  const int full = posix_fallocate(s->file, (off_t)s->size, (off_t)size);
  if (full) return fail(s, size, full == ENOSPC ? "the disk is full" : strerror(full));
  void *shown = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->file, (off_t)s->size);
  if (shown == MAP_FAILED) return fail(s, size, strerror(errno));
  chunk *c = calloc(1, sizeof *c);
  if (!c) {
    munmap(shown, size);
    return fail(s, size, "out of memory");
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
  if (bytes > SIZE_MAX - ALIGNMENT) return fail(s, bytes, "no disk is so large");
  bytes = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
  chunk *c = s->chunks;
  if (!c || c->size - c->used < bytes) c = add_chunk(s, bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES);
  if (!c) return NULL;
  void *result = c->bytes + c->used;
  c->used += bytes;
  return result;
}

const char *spill_failure(const spill *s) {
  return *s->failure ? s->failure : NULL;
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
  free(s->folder);
  free(s);
}
