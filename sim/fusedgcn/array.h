/* The array register by register, for level 2. */
#ifndef GNNC_SIM_FUSEDGCN_ARRAY_H
#define GNNC_SIM_FUSEDGCN_ARRAY_H

#include "sim/fusedgcn/execute.h"

/* Computes rows lo .. hi - 1 with the tiles from `first` on, and counts the cycles from the first
 * non-zero in the multipliers to the last one in the accumulators. */
status fusedgcn_array_run(const fusedgcn_arrays *a, uint64_t first, int64_t lo, int64_t hi, uint64_t *cycles);

#endif
