/* The formats of Sextans' arrays in device memory, as the published host program writes them:
 * elements of A, and the places of numbers in the channels of A, B and C.
 *
 *   A   8 channels; beat i of channel c has slot i of the 8 PEs p with p % 8 == c, lane bitreverse3(p / 8)
 *   B   4 channels; (k, n) is in channel n / 2 % 4
 *   C   8 channels; (m, n) is in channel m % 8; PE m % 64 computes row m, its row m / 64
 *
 * Columns are in tiles of 8; the last tile of an array has zeros beyond n. The array of each
 * channel is a multiple of 64 bytes. */
#ifndef GNNC_ISA_SEXTANS_FORMAT_H
#define GNNC_ISA_SEXTANS_FORMAT_H

#include "isa/sextans/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  SEXTANS_PES = 64,
  SEXTANS_TILE = 8, /* N0, columns of a pass */
  SEXTANS_LANES = 8,
  SEXTANS_A_CHANNELS = 8,
  SEXTANS_B_CHANNELS = 4,
  SEXTANS_C_CHANNELS = 8,
  SEXTANS_BEAT_BYTES = 64,
  SEXTANS_ROW_BITS = 17, /* bit 17 of the field marks a bubble */
  SEXTANS_COLUMN_BITS = 14,
};

/* A bubble: a slot without a non-zero. */
#define SEXTANS_BUBBLE (UINT64_C(0x3FFFF) << 32)
#define SEXTANS_BUBBLE_FLAG (UINT64_C(1) << 49)

/* A non-zero: bits 63..50 the column within its window, 49..32 the row of its PE, 31..0 the
 * value. */
static inline uint64_t sextans_element(uint32_t row, uint32_t column, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint64_t)column << 50 | (uint64_t)row << 32 | bits;
}

static inline bool sextans_is_bubble(uint64_t element) {
  return element & SEXTANS_BUBBLE_FLAG;
}

static inline uint32_t sextans_element_row(uint64_t element) {
  return (uint32_t)(element >> 32) & ((1u << SEXTANS_ROW_BITS) - 1);
}

static inline uint32_t sextans_element_column(uint64_t element) {
  return (uint32_t)(element >> 50);
}

static inline float sextans_element_value(uint64_t element) {
  uint32_t bits = (uint32_t)element;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline int64_t sextans_ceil(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/* Rows of B that a window holds: K0, or half of it with two buffers. */
static inline int64_t sextans_window(const sextans_device *d) {
  return d->has_two_b ? d->window / 2 : d->window;
}

/* The lane of a PE in the beats of its channel; it is its own inverse for p / 8. */
static inline int sextans_lane(int group) {
  return (group & 1) << 2 | (group & 2) | (group >> 2 & 1);
}

/* The index of the element of slot i of a PE in the channel pe % 8. */
static inline int64_t sextans_a_index(int64_t slot, int pe) {
  return slot * SEXTANS_LANES + sextans_lane(pe / SEXTANS_A_CHANNELS);
}

/* Bytes of a channel: of A with `slots` slots; of B with k rows and C with m rows, n columns
 * each. */
static inline int64_t sextans_a_bytes(int64_t slots) {
  return slots * SEXTANS_BEAT_BYTES;
}

static inline int64_t sextans_b_tile(int64_t k) { /* numbers of a tile of 8 columns in a channel */
  return sextans_ceil(k, 8) * 16;
}

static inline int64_t sextans_c_tile(int64_t m) {
  return sextans_ceil(m, 16) * 16;
}

static inline int64_t sextans_b_bytes(int64_t k, int64_t n) {
  return sextans_b_tile(k) * sextans_ceil(n, SEXTANS_TILE) * (int64_t)sizeof(float);
}

static inline int64_t sextans_c_bytes(int64_t m, int64_t n) {
  return sextans_c_tile(m) * sextans_ceil(n, SEXTANS_TILE) * (int64_t)sizeof(float);
}

/* The channel of a number, and its index among the numbers of that channel. */
static inline int sextans_b_channel(int64_t n) {
  return (int)(n / 2 % SEXTANS_B_CHANNELS);
}

static inline int64_t sextans_b_index(int64_t k, int64_t n, int64_t tile) {
  return k / 8 * 16 + n % 2 * 8 + k % 8 + tile * (n / SEXTANS_TILE);
}

static inline int sextans_c_channel(int64_t m) {
  return (int)(m % SEXTANS_C_CHANNELS);
}

static inline int64_t sextans_c_index(int64_t m, int64_t n, int64_t tile) {
  return tile * (n / SEXTANS_TILE) + m / 8 * 8 + n % 8;
}

#endif
