/* The members of a zip archive in memory, as .npz files are: stored or deflated, not encrypted,
 * below 4 GB. */
#ifndef GNNC_DATA_FORMATS_ZIP_H
#define GNNC_DATA_FORMATS_ZIP_H

#include "support/arena.h"
#include "support/status.h"

typedef struct zip_member {
  char *name;
  int method; /* 0 stored, 8 deflated */
  size_t packed_size, size;
  unsigned long crc;
  const unsigned char *packed; /* in the archive */
} zip_member;

typedef struct zip_archive {
  zip_member *members;
  size_t count;
} zip_archive;

/* Reads the directory; every offset and size is checked. Members point into `bytes`. */
status zip_open(arena *a, const void *bytes, size_t size, zip_archive *out);

/* The unpacked bytes of a member, in place when it is stored, else in the arena; its checksum is
 * checked. */
status zip_read(arena *a, const zip_member *member, const unsigned char **data);

#endif
