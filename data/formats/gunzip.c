/* Decompresses in one pass of inflate into a block that doubles; a file may consist of several gzip
 * members. The block is on the heap, so that growth frees the old one. A file that expands far more
 * than any edge list does is refused before it fills the memory. */
#include "data/formats/gunzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { WINDOW_AND_GZIP = 15 + 16, MAX_STEP = 1 << 30, LARGEST_RATIO = 200 };
/* In bytes; up to this size any ratio is allowed. */
static const size_t always_allowed = (size_t)1 << 26;

bool gunzip_is_packed(const void *bytes, size_t size) {
  return size > 18 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

typedef struct unpacked {
  char *data; /* on the heap */
  size_t used, capacity;
  size_t limit;
} unpacked;

static status grow(unpacked *u) {
  if (u->used >= u->limit)
    return status_error(STATUS_CODE_format,
                        "it unpacks to more than %d times its size and more than %zu bytes; unpack it with gzip -d if "
                        "it is what you expect",
                        LARGEST_RATIO, always_allowed);
  size_t capacity = u->capacity < u->limit / 2 ? u->capacity * 2 : u->limit + 2;
  char *data = realloc(u->data, capacity);
  if (!data) return status_error(STATUS_CODE_memory, "the unpacked file does not fit into memory");
  u->data = data;
  u->capacity = capacity;
  return STATUS_OK;
}

/* Decompresses all members. The last byte of the block is left for the NUL. */
static status unpack(z_stream *stream, const unsigned char *end, unpacked *u) {
  for (;;) {
    if (u->used + 1 >= u->capacity) RETURN_IF_ERROR(grow(u));
    size_t room = u->capacity - 1 - u->used, left = (size_t)(end - stream->next_in);
    stream->avail_out = (uInt)(room < MAX_STEP ? room : MAX_STEP);
    stream->avail_in = (uInt)(left < MAX_STEP ? left : MAX_STEP);
    uInt offered = stream->avail_out;
    stream->next_out = (Bytef *)u->data + u->used;
    int result = inflate(stream, Z_NO_FLUSH);
    u->used += offered - stream->avail_out;
    if (result == Z_STREAM_END) {
      if (stream->next_in == end || !gunzip_is_packed(stream->next_in, (size_t)(end - stream->next_in)))
        return STATUS_OK;
      inflateReset(stream);
    } else if (result != Z_OK) {
      return status_error(STATUS_CODE_format, "the gzip data is broken or ends too early");
    }
  }
}

status gunzip_unpack(arena *a, const void *bytes, size_t size, char **out, size_t *out_size) {
  unpacked u = {.capacity = size * 2 + 64, .limit = size * LARGEST_RATIO};
  if (u.limit < always_allowed) u.limit = always_allowed;
  z_stream stream = {.next_in = bytes};
  if (inflateInit2(&stream, WINDOW_AND_GZIP) != Z_OK) return status_error(STATUS_CODE_memory, "out of memory");
  u.data = malloc(u.capacity);
  status s = u.data ? unpack(&stream, (const unsigned char *)bytes + size, &u)
                    : status_error(STATUS_CODE_memory, "the unpacked file does not fit into memory");
  inflateEnd(&stream);
  char *kept = s ? NULL : arena_try_alloc(a, u.used + 1);
  if (!s && !kept) s = status_error(STATUS_CODE_memory, "the unpacked file does not fit into memory");
  if (kept) {
    memcpy(kept, u.data, u.used);
    kept[u.used] = '\0';
    *out = kept;
    *out_size = u.used;
  }
  free(u.data);
  return s;
}
