/* The members of a zip archive in memory, such as an .npz file: stored or deflated, not encrypted,
 * smaller than 4 GiB. */
#ifndef GNNC_DATA_FORMATS_ZIP_H
#define GNNC_DATA_FORMATS_ZIP_H

#include "support/arena.h"
#include "support/status.h"

typedef struct zip_member {
  char *name;
  int method; /* 0: stored, 8: deflated */
  size_t packed_size, size;
  unsigned long crc;
  const unsigned char *packed; /* points into the archive */
} zip_member;

typedef struct zip_archive {
  zip_member *members;
  size_t count;
} zip_archive;

/* Reads the directory into the arena and checks every offset and size. Members point into `bytes`,
 * which must outlive them. Fails for a broken or unsupported archive. */
status zip_open(arena *a, const void *bytes, size_t size, zip_archive *out);

/* Sets *data to the `member->size` bytes of a member: in place if it is stored, else decompressed
 * in the arena. Fails for a wrong checksum, broken data, or when memory is out. */
status zip_read(arena *a, const zip_member *member, const unsigned char **data);

#endif
