/* The formats of AGILE in device memory: descriptors of nodeslots, and rows.
 *
 * A descriptor has 64 bits: 19..0 the node, 39..20 how many neighbours it has, 41..40 the precision,
 * 62..42 where its lists begin, in units of 64 bytes from the registers adjacency_list and
 * scale_factors, 63 valid. Bits 62..42 are reserved in the published device. */
#ifndef GNNC_ISA_AGILE_FORMAT_H
#define GNNC_ISA_AGILE_FORMAT_H

#include "isa/agile/device.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  AGILE_NODE_BITS = 20,
  AGILE_COUNT_BITS = 20,
  AGILE_LIST_BITS = 21,
  AGILE_BEAT_BYTES = 64,
  AGILE_BEAT_WORDS = 16,
  AGILE_BEAT_DESCS = 8,
  AGILE_BURST_BEATS = 64,
  AGILE_PRECISIONS = 4,
  AGILE_SCALE_BITS = 16, /* of a scale factor beside fixed precisions */
};

/* Kinds of traffic, in the order of the statistics. */
typedef enum agile_kind {
  AGILE_KIND_descriptors,
  AGILE_KIND_lists,
  AGILE_KIND_scales,
  AGILE_KIND_messages,
  AGILE_KIND_weights,
  AGILE_KIND_results,
} agile_kind;

typedef struct agile_desc {
  uint32_t node, count;
  int precision;
  uint32_t list; /* in units of 64 bytes */
  bool is_valid;
} agile_desc;

static inline uint64_t agile_desc_pack(agile_desc d) {
  return (uint64_t)d.node | (uint64_t)d.count << 20 | (uint64_t)d.precision << 40 | (uint64_t)d.list << 42 |
         (uint64_t)d.is_valid << 63;
}

static inline agile_desc agile_desc_unpack(uint64_t bits) {
  const uint32_t node = (1u << AGILE_NODE_BITS) - 1, list = (1u << AGILE_LIST_BITS) - 1;
  return (agile_desc){.node = (uint32_t)bits & node,
                      .count = (uint32_t)(bits >> 20) & node,
                      .precision = (int)(bits >> 40 & 3),
                      .list = (uint32_t)(bits >> 42) & list,
                      .is_valid = bits >> 63};
}

/* Whether the device executes a descriptor; it skips the others. */
static inline bool agile_desc_runs(agile_desc d) {
  return d.is_valid && d.count;
}

static inline agile_desc agile_desc_at(const unsigned char *table, uint64_t i) {
  uint64_t bits;
  memcpy(&bits, table + i * sizeof bits, sizeof bits);
  return agile_desc_unpack(bits);
}

/* Bits of a feature of each precision. */
static inline int agile_precision_bits(int precision) {
  static const int bits[AGILE_PRECISIONS] = {32, 8, 16, 4};
  return bits[precision];
}

static inline uint64_t agile_ceil(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

/* Beats and bytes of a row of so many fp32 numbers. */
static inline uint64_t agile_row_beats(uint64_t features) {
  return agile_ceil(features, AGILE_BEAT_WORDS);
}

static inline uint64_t agile_row_bytes(uint64_t features) {
  return agile_row_beats(features) * AGILE_BEAT_BYTES;
}

/* The largest number of features of a message: each aggregation core takes 16. With the static
 * allocation a node has the cores of a row, else those of a mesh. */
static inline uint64_t agile_most_features(const agile_device *d) {
  enum { MOST = 1024 };
  uint64_t cores = (uint64_t)d->columns * (d->allocation == AGILE_ALLOCATION_static ? 1 : (uint64_t)d->rows);
  return cores < MOST / AGILE_BEAT_WORDS ? cores * AGILE_BEAT_WORDS : MOST;
}

#endif
