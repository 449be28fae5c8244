/* Builds section .gnnc.rows, orders of rows: the user's index of each row of a set, or of each edge
 * of a list, which are permutations, and the indices of places whose layout folds. */
#ifndef GNNC_CODEGEN_DEVICE_PROGRAM_ROWS_H
#define GNNC_CODEGEN_DEVICE_PROGRAM_ROWS_H

#include "codegen/device/host/host.h"
#include "isa/image/image.h"
#include "support/map.h"
#include "support/vec.h"

typedef struct program_permutation {
  const int32_t *order;
  int64_t count;
} program_permutation;

typedef struct program_rows {
  arena *arena;
  program_host *host;
  VEC(program_permutation) permutations; /* one after the other */
  map of_sets;                           /* set -> 1 + byte offset */
  int64_t bytes;
} program_rows;

program_rows program_rows_begin(arena *a, program_host *host);

/* Adds an order, which must live as long as the arena or the host. Returns its byte offset. */
int64_t program_rows_add(program_rows *r, const int32_t *order, int64_t count);

/* The same for an order that may have been added before: it is stored once. */
int64_t program_rows_add_once(program_rows *r, const int32_t *order, int64_t count);

/* Sets *offset to the byte offset of the order of a set's rows, or to PROGRAM_MANIFEST_NO_ORDER
 * where they are in the user's order. */
status program_rows_of_set(program_rows *r, const char *set, int64_t count, int64_t *offset);

/* Adds the section to the image; adds nothing where there is no permutation. */
void program_rows_write(const program_rows *r, image *out);

#endif
