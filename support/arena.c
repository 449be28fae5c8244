/* The bump allocator for all lifetimes of the compiler (the run, the module, the pass).
 *
 *   arena *a = arena_create();  char *name = arena_printf(a, "layers.%d", k);  ...  arena_destroy(a);
 *
 * Memory comes from calloc in chunks; an allocation that does not fit into the current chunk gets a
 * new one. Under AddressSanitizer every allocation has a chunk of its own, so that the sanitizer
 * detects writes past its end. */
#include "support/arena.h"
#include "support/huge_pages.h"
#include "support/program.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_SEPARATE 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_SEPARATE 1
#endif
#ifndef ARENA_SEPARATE
#define ARENA_SEPARATE 0
#endif

typedef struct chunk {
  struct chunk *next;
  size_t size;
  size_t used;
  alignas(max_align_t) unsigned char bytes[];
} chunk;

struct arena {
  chunk *current; /* the chunk that is being filled, followed by older ones */
  spill *spill;   /* NULL: chunks are from calloc */
  size_t chunk_bytes;
};

enum { FIRST_CHUNK_BYTES = 16 * 1024, LAST_CHUNK_BYTES = 1024 * 1024 };

static _Noreturn void out_of_memory(const arena *a, size_t size) {
  const char *why = a && a->spill ? spill_failure(a->spill) : NULL;
  if (why)
    program_error("%s", why);
  else
    fprintf(stderr, "fatal: out of memory (%zu bytes wanted)\n", size);
  exit(1);
}

arena *arena_create(void) {
  arena *a = calloc(1, sizeof *a);
  if (!a) out_of_memory(NULL, sizeof *a);
  a->chunk_bytes = ARENA_SEPARATE ? 0 : FIRST_CHUNK_BYTES;
  return a;
}

arena *arena_create_in(spill *s) {
  arena *a = arena_create();
  a->spill = s;
  return a;
}

void arena_destroy(arena *a) {
  if (!a) return;
  for (chunk *c = a->spill ? NULL : a->current; c;) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
  free(a);
}

/* Returns a chunk with room for `size` bytes, or NULL when memory is out. A large chunk goes behind
 * the current one in the list, so that the free rest of the current chunk remains in use. */
static chunk *add_chunk(arena *a, size_t size) {
  size_t bytes = size > a->chunk_bytes ? size : a->chunk_bytes;
  if (bytes > SIZE_MAX - sizeof(chunk)) return NULL;
  chunk *c = a->spill ? spill_allocate(a->spill, sizeof(chunk) + bytes) : calloc(1, sizeof(chunk) + bytes);
  if (!c) return NULL;
  if (!a->spill) huge_pages_advise(c, sizeof(chunk) + bytes);
  c->size = bytes;
  if (a->current && size > a->chunk_bytes / 4) {
    c->next = a->current->next;
    a->current->next = c;
    return c;
  }
  c->next = a->current;
  a->current = c;
  if (a->chunk_bytes && a->chunk_bytes < LAST_CHUNK_BYTES) a->chunk_bytes *= 2;
  return c;
}

/* Returns the memory of the machine in bytes. The system grants larger requests too, and kills the
 * program when it uses the memory. */
static size_t memory_limit(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? (size_t)pages * (size_t)page_bytes : SIZE_MAX / 2;
}

void *arena_try_alloc(arena *a, size_t size) {
  const size_t align = alignof(max_align_t);
  if (!a->spill && size > LAST_CHUNK_BYTES && size > memory_limit()) return NULL;
  size_t rounded = size ? (size + align - 1) / align * align : align;
  if (ARENA_SEPARATE && size) rounded = size;
  chunk *c = a->current;
  if (!c || ARENA_SEPARATE || c->size - c->used < rounded) c = add_chunk(a, rounded);
  if (!c) return NULL;
  void *result = c->bytes + c->used;
  c->used += rounded;
  return result;
}

void *arena_alloc(arena *a, size_t size) {
  void *result = arena_try_alloc(a, size);
  if (!result) out_of_memory(a, size);
  return result;
}

void *arena_try_alloc_array(arena *a, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return arena_try_alloc(a, count * size);
}

void *arena_alloc_array(arena *a, size_t count, size_t size) {
  void *result = arena_try_alloc_array(a, count, size);
  if (!result) out_of_memory(a, size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
  return result;
}

char *arena_strndup(arena *a, const char *s, size_t length) {
  char *copy = arena_alloc(a, length + 1);
  memcpy(copy, s, length);
  return copy;
}

char *arena_strdup(arena *a, const char *s) {
  return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(arena *a, const char *format, va_list args) {
  char most[256]; /* large enough for most texts */
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(most, sizeof most, format, again);
  va_end(again);
  if (length < 0) out_of_memory(a, 0);
  if ((size_t)length < sizeof most) return arena_strndup(a, most, (size_t)length);
  char *result = arena_alloc(a, (size_t)length + 1);
  vsnprintf(result, (size_t)length + 1, format, args);
  return result;
}

char *arena_printf(arena *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *result = arena_vprintf(a, format, args);
  va_end(args);
  return result;
}
