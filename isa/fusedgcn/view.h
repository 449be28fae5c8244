/* The arrays of records in memory: whether they lie where the device reads and writes them, and the
 * numbers of S. */
#ifndef GNNC_ISA_FUSEDGCN_VIEW_H
#define GNNC_ISA_FUSEDGCN_VIEW_H

#include "isa/fusedgcn/fusedgcn.h"
#include "isa/fusedgcn/timing.h"
#include "isa/image/image_parts.h"

#include <string.h>

/* An array: rows of `width` bytes, `stride` bytes apart. */
typedef struct fusedgcn_place {
  const char *name;  /* the field of the record, for messages */
  uint32_t sections; /* bit mask, 1 << IMAGE_*: it lies in one of them */
  uint64_t alignment;
  uint64_t base, rows, stride, width;
} fusedgcn_place;

/* The arrays of a record. */
fusedgcn_place fusedgcn_place_s_pos(const fusedgcn_layer *in);
fusedgcn_place fusedgcn_place_s_col(const fusedgcn_layer *in);
fusedgcn_place fusedgcn_place_s_val(const fusedgcn_layer *in);
fusedgcn_place fusedgcn_place_h(const fusedgcn_layer *in);
fusedgcn_place fusedgcn_place_out(const fusedgcn_layer *in);
fusedgcn_place fusedgcn_place_w(const fusedgcn_device *d, const fusedgcn_loadw *in);

/* Checks that the array is aligned, its rows are apart, and it is inside of a section; without
 * overflow for any numbers. An array without bytes lies anywhere. */
status fusedgcn_place_check(const image *im, const fusedgcn_place *p);

/* Bytes from the first to the last, of an array that passed the check. */
uint64_t fusedgcn_place_bytes(const fusedgcn_place *p);

/* Whether two arrays that passed the check share a byte. Arrays whose rows are equally far apart
 * may have different columns of the same memory. */
bool fusedgcn_place_overlap(const fusedgcn_place *x, const fusedgcn_place *y);

/* The numbers of S that the image has. */
typedef struct fusedgcn_view {
  int64_t n, nnz;
  const unsigned char *pos, *col;
} fusedgcn_view;

/* Checks the places of S_pos and S_col and finds both in the image; their numbers are not
 * checked. */
status fusedgcn_view_open(const image *im, const fusedgcn_layer *in, fusedgcn_view *out);

/* The first non-zero of a row; of row number n: the end. */
static inline int64_t fusedgcn_view_pos(const fusedgcn_view *v, int64_t row) {
  int32_t number;
  memcpy(&number, v->pos + row * (int64_t)sizeof number, sizeof number);
  return number;
}

static inline int64_t fusedgcn_view_col(const fusedgcn_view *v, int64_t nonzero) {
  int32_t number;
  memcpy(&number, v->col + nonzero * (int64_t)sizeof number, sizeof number);
  return number;
}

#endif
