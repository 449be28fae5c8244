/* Cycles of FusedGCN's records. The simulator counts by these rules, and the compiler chooses by
 * them.
 *
 * Each non-zero of S takes a cycle for each tile of W. The last product needs a cycle in the
 * multipliers, K in the rows of PEs and one in the accumulators: nnz kt rt + K + 1 for a RUN, also
 * for one without non-zeros. A row without non-zeros takes no cycle. Each row of PEs has a channel
 * for weights of one word per cycle: M for a tile. Biases are spread over these channels. */
#ifndef GNNC_ISA_FUSEDGCN_TIMING_H
#define GNNC_ISA_FUSEDGCN_TIMING_H

#include "isa/fusedgcn/device.h"

#include <stdint.h>

enum { FUSEDGCN_WORD = 2 }; /* bytes of a bf16 number */

/* Bytes of a non-zero (column and value) and of a row of S (its end in S_pos). */
enum { FUSEDGCN_NONZERO_BYTES = 6, FUSEDGCN_ROW_BYTES = 4 };

static inline uint64_t fusedgcn_ceil(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

/* Tile rows and tile columns of a matrix of i rows and o columns. */
static inline uint64_t fusedgcn_kt(const fusedgcn_device *d, uint64_t i) {
  return fusedgcn_ceil(i, (uint64_t)d->rows);
}

static inline uint64_t fusedgcn_rt(const fusedgcn_device *d, uint64_t o) {
  return fusedgcn_ceil(o, (uint64_t)d->columns);
}

/* Cycles from the last issue of a RUN to its end. */
static inline uint64_t fusedgcn_drain_cycles(const fusedgcn_device *d) {
  return (uint64_t)d->rows + 1;
}

/* Cycles of a RUN over rows with nnz non-zeros. */
static inline uint64_t fusedgcn_run_cycles(const fusedgcn_device *d, uint64_t nnz, uint64_t kt, uint64_t rt) {
  return nnz * kt * rt + fusedgcn_drain_cycles(d);
}

/* Cycles of a LOADW of tiles and groups of biases. */
static inline uint64_t fusedgcn_load_cycles(const fusedgcn_device *d, uint64_t tiles, uint64_t biases) {
  return (uint64_t)d->columns * tiles + fusedgcn_ceil(biases * (uint64_t)d->columns, (uint64_t)d->rows);
}

/* Words of the stream of a LOADW. */
static inline uint64_t fusedgcn_tile_words(const fusedgcn_device *d) {
  return (uint64_t)d->rows * (uint64_t)d->columns;
}

static inline uint64_t fusedgcn_load_bytes(const fusedgcn_device *d, uint64_t tiles, uint64_t biases) {
  return FUSEDGCN_WORD * (tiles * fusedgcn_tile_words(d) + biases * (uint64_t)d->columns);
}

#endif
