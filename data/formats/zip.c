/* Reads zip archives: the end record, the directory, the members. All numbers in an archive are
 * little-endian and unaligned. */
#include "data/formats/zip.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum {
  END_BYTES = 22,
  ENTRY_BYTES = 46,
  LOCAL_BYTES = 30,
  LONGEST_COMMENT = 65535,
  MAX_RATIO = 1032,   /* the largest ratio of deflate */
  LARGEST_RATIO = 200 /* of a file; no graph compresses better */
};
/* In bytes; up to this size any ratio is allowed. */
static const size_t always_allowed = (size_t)1 << 26;
static const unsigned char end_mark[4] = {'P', 'K', 5, 6};
static const unsigned char entry_mark[4] = {'P', 'K', 1, 2};
static const unsigned char local_mark[4] = {'P', 'K', 3, 4};

static unsigned read16(const unsigned char *p) {
  return (unsigned)p[0] | (unsigned)p[1] << 8;
}
static uint32_t read32(const unsigned char *p) {
  return read16(p) | (uint32_t)read16(p + 2) << 16;
}

/* Finds the end record, which stands at the end of the file, before a comment of at most 64 KiB. */
static const unsigned char *find_end(const unsigned char *bytes, size_t size) {
  if (size < END_BYTES) return NULL;
  size_t lowest = size > END_BYTES + LONGEST_COMMENT ? size - END_BYTES - LONGEST_COMMENT : 0;
  for (size_t at = size - END_BYTES;; at--) {
    if (memcmp(bytes + at, end_mark, 4) == 0) return bytes + at;
    if (at == lowest) return NULL;
  }
}

static status read_entry(arena *a, const unsigned char *bytes, size_t size, const unsigned char *entry,
                         size_t name_length, zip_member *m) {
  m->name = arena_strndup(a, (const char *)entry + ENTRY_BYTES, name_length);
  m->method = (int)read16(entry + 10);
  m->crc = read32(entry + 16);
  m->packed_size = read32(entry + 20);
  m->size = read32(entry + 24);
  size_t offset = read32(entry + 42);
  if (read16(entry + 8) & 1) return status_error(STATUS_CODE_unsupported, "member '%s' is encrypted", m->name);
  if (m->size == UINT32_MAX || m->packed_size == UINT32_MAX || offset == UINT32_MAX)
    return status_error(STATUS_CODE_unsupported, "member '%s' has 4 GB or more", m->name);
  if (m->method != 0 && m->method != 8)
    return status_error(STATUS_CODE_unsupported,
                        "member '%s' is packed by method %d, only stored and deflate can be read", m->name, m->method);
  if (offset > size || size - offset < LOCAL_BYTES || memcmp(bytes + offset, local_mark, 4) != 0)
    return status_error(STATUS_CODE_format, "member '%s' is not where the directory says", m->name);
  size_t begin = offset + LOCAL_BYTES + read16(bytes + offset + 26) + read16(bytes + offset + 28);
  if (begin > size || m->packed_size > size - begin)
    return status_error(STATUS_CODE_format, "member '%s' goes beyond the end of the file", m->name);
  bool is_absurd = m->method == 0 ? m->size != m->packed_size : m->size / MAX_RATIO > m->packed_size;
  if (is_absurd)
    return status_error(STATUS_CODE_format, "member '%s' cannot unpack from %zu to %zu bytes", m->name, m->packed_size,
                        m->size);
  m->packed = bytes + begin;
  return STATUS_OK;
}

status zip_open(arena *a, const void *bytes, size_t size, zip_archive *out) {
  const unsigned char *data = bytes;
  const unsigned char *end = find_end(data, size);
  if (!end) return status_error(STATUS_CODE_format, "is no zip archive: it has no end record");
  size_t count = read16(end + 10), directory = read32(end + 16), directory_bytes = read32(end + 12);
  size_t limit = (size_t)(end - data);
  if (count == 0xFFFF || directory == UINT32_MAX)
    return status_error(STATUS_CODE_unsupported, "is a zip64 archive, only archives below 4 GB can be read");
  if (directory > limit || directory_bytes > limit - directory || count > directory_bytes / ENTRY_BYTES)
    return status_error(STATUS_CODE_format, "its directory of %zu members goes beyond the end of the file", count);
  *out = (zip_archive){.members = arena_alloc_array(a, count, sizeof *out->members)};
  const unsigned char *at = data + directory;
  size_t packed_total = 0, unpacked_total = 0;
  for (size_t i = 0; i < count; i++) {
    size_t left = (size_t)(end - at);
    if (left < ENTRY_BYTES || memcmp(at, entry_mark, 4) != 0)
      return status_error(STATUS_CODE_format, "its directory is broken at member %zu", i);
    size_t name_length = read16(at + 28);
    size_t length = ENTRY_BYTES + name_length + read16(at + 30) + read16(at + 32);
    if (length > left) return status_error(STATUS_CODE_format, "its directory is broken at member %zu", i);
    RETURN_IF_ERROR(read_entry(a, data, size, at, name_length, &out->members[i]));
    packed_total += out->members[i].packed_size;
    unpacked_total += out->members[i].size;
    if (unpacked_total > size * LARGEST_RATIO && unpacked_total > always_allowed)
      return status_error(STATUS_CODE_format,
                          "its members unpack to more than %d times its size and more than %zu bytes", LARGEST_RATIO,
                          always_allowed);
    if (packed_total > size) return status_error(STATUS_CODE_format, "its members overlap");
    out->count++;
    at += length;
  }
  return STATUS_OK;
}

static status inflate_member(const zip_member *m, unsigned char *data) {
  z_stream stream = {
      .next_in = m->packed, .avail_in = (uInt)m->packed_size, .next_out = data, .avail_out = (uInt)m->size};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return status_error(STATUS_CODE_memory, "out of memory");
  int result = inflate(&stream, Z_FINISH);
  bool is_good = result == Z_STREAM_END && stream.total_out == m->size;
  inflateEnd(&stream);
  return is_good ? STATUS_OK
                 : status_error(STATUS_CODE_format, "member '%s' does not unpack to %zu bytes", m->name, m->size);
}

status zip_read(arena *a, const zip_member *m, const unsigned char **data) {
  *data = m->packed;
  if (m->method == 8) {
    unsigned char *unpacked = arena_try_alloc(a, m->size);
    if (!unpacked)
      return status_error(STATUS_CODE_memory, "member '%s' of %zu bytes does not fit into memory", m->name, m->size);
    RETURN_IF_ERROR(inflate_member(m, unpacked));
    *data = unpacked;
  }
  if (crc32_z(0, *data, m->size) == m->crc) return STATUS_OK;
  return status_error(STATUS_CODE_format, "member '%s' has a wrong checksum", m->name);
}
