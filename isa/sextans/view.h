/* The arrays of a launch in memory: whether they lie where the device reads and writes them, and
 * the lists of A, element by element. */
#ifndef GNNC_ISA_SEXTANS_VIEW_H
#define GNNC_ISA_SEXTANS_VIEW_H

#include "isa/image/image_parts.h"
#include "isa/sextans/format.h"
#include "isa/sextans/sextans.h"

/* An array in channels: channel c has the bytes from base + c * stride on. */
typedef struct sextans_place {
  const char *name; /* the field of the record, for messages */
  image_section_kind section;
  bool may_be_weights; /* it may lie in .weights instead: a constant that launches only read */
  uint64_t base, stride, bytes;
  int channels;
} sextans_place;

/* The arrays of a record whose n, m, k, windows and slots are within their limits. */
sextans_place sextans_place_q(const sextans_spmm *in);
sextans_place sextans_place_a(const sextans_spmm *in);
sextans_place sextans_place_b(const sextans_spmm *in);
sextans_place sextans_place_c(const sextans_spmm *in, bool is_out);

/* Checks that all channels are aligned, apart, and inside of their section; without overflow for
 * any numbers. An array of 0 bytes lies anywhere. */
status sextans_place_check(const image *im, const sextans_place *p);

/* Whether some channel of one array shares a byte with some channel of the other; both passed
 * sextans_place_check. */
bool sextans_place_overlap(const sextans_place *x, const sextans_place *y);

/* Q and the lists of A of a launch. */
typedef struct sextans_view {
  int64_t windows, slots;
  const unsigned char *q;                     /* windows + 1 numbers */
  const unsigned char *a[SEXTANS_A_CHANNELS]; /* NULL: there is no data */
} sextans_view;

/* Checks the places of Q and A and the numbers of Q, and finds both in the image. After an error
 * nothing of *out may be used. */
status sextans_view_open(const image *im, const sextans_spmm *in, sextans_view *out);

/* The first slot of a window; of window number `windows`: the end. */
static inline int64_t sextans_view_slot(const sextans_view *v, int64_t window) {
  int32_t slot;
  memcpy(&slot, v->q + window * (int64_t)sizeof slot, sizeof slot);
  return slot;
}

static inline uint64_t sextans_view_element(const sextans_view *v, int64_t slot, int pe) {
  uint64_t element;
  memcpy(&element, v->a[pe % SEXTANS_A_CHANNELS] + sextans_a_index(slot, pe) * (int64_t)sizeof element, sizeof element);
  return element;
}

/* The address of that element in device memory. */
static inline uint64_t sextans_element_address(const sextans_spmm *in, int64_t slot, int pe) {
  return in->a + (uint64_t)(pe % SEXTANS_A_CHANNELS) * in->a_stride +
         (uint64_t)sextans_a_index(slot, pe) * sizeof(uint64_t);
}

/* The row of C that a PE's row is. */
static inline uint64_t sextans_row_of_c(int pe, uint32_t row) {
  return (uint64_t)pe + SEXTANS_PES * (uint64_t)row;
}

/* Rows of B in a window. */
static inline uint64_t sextans_window_rows(const sextans_device *d, uint64_t k, uint64_t window) {
  uint64_t most = (uint64_t)sextans_window(d), rest = k - window * most;
  return rest < most ? rest : most;
}

#endif
