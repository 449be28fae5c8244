/* One pass of inflate into a block that doubles; several gzip members behind each other make one
 * file. */
#include "data/formats/gunzip.h"

#include <stdint.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { WINDOW_AND_GZIP = 15 + 16, MAX_STEP = 1 << 30 };

bool gunzip_is_packed(const void *bytes, size_t size) {
  return size > 18 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

typedef struct unpacked {
  char *data;
  size_t used, capacity;
} unpacked;

static status grow(arena *a, unpacked *u) {
  char *data = arena_try_alloc_array(a, u->capacity, 2);
  if (!data) return status_error(STATUS_CODE_memory, "the unpacked file does not fit into memory");
  memcpy(data, u->data, u->used);
  u->data = data;
  u->capacity *= 2;
  return STATUS_OK;
}

/* Inflates until the packed bytes are used up; the last byte of the block is left for the
 * terminator. */
static status unpack(arena *a, z_stream *stream, const unsigned char *end, unpacked *u) {
  for (;;) {
    if (u->used + 1 >= u->capacity) RETURN_IF_ERROR(grow(a, u));
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
  unpacked u = {.capacity = size * 2 + 64};
  u.data = arena_try_alloc(a, u.capacity);
  if (!u.data) return status_error(STATUS_CODE_memory, "the unpacked file does not fit into memory");
  z_stream stream = {.next_in = bytes};
  if (inflateInit2(&stream, WINDOW_AND_GZIP) != Z_OK) return status_error(STATUS_CODE_memory, "out of memory");
  status s = unpack(a, &stream, (const unsigned char *)bytes + size, &u);
  inflateEnd(&stream);
  if (s) return s;
  u.data[u.used] = '\0';
  *out = u.data;
  *out_size = u.used;
  return STATUS_OK;
}
