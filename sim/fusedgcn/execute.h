/* The effect of a RUN: rows of OUT = act(S H W + bias), in bf16, in the order of the array. */
#ifndef GNNC_SIM_FUSEDGCN_EXECUTE_H
#define GNNC_SIM_FUSEDGCN_EXECUTE_H

#include "isa/fusedgcn/view.h"
#include "sim/common/memory.h"
#include "sim/fusedgcn/weights.h"

/* The arrays of a layer of a checked program. */
typedef struct fusedgcn_arrays {
  const fusedgcn_layer *layer;
  const fusedgcn_weights *weights;
  fusedgcn_view s;
  const uint16_t *s_val, *h;
  uint16_t *out;
} fusedgcn_arrays;

/* Finds S in the image; the other arrays, in memory, only with m. */
status fusedgcn_arrays_open(const image *im, memory *m, const fusedgcn_layer *layer, const fusedgcn_weights *w,
                            fusedgcn_arrays *out);

/* Computes rows lo .. hi - 1 with the tiles from `first` on. */
status fusedgcn_execute(const fusedgcn_arrays *a, uint64_t first, int64_t lo, int64_t hi);

/* The parts of a row that the array (sim/fusedgcn/array.h) has behind its columns, too. Sums are in
 * rt groups of weights->pitch numbers. */
/* Sets the sums of a row to 0, or to the numbers of OUT. */
void fusedgcn_row_begin(const fusedgcn_arrays *a, int64_t row, float *sums);
/* Adds biases, applies the activation and writes the row. */
void fusedgcn_row_end(const fusedgcn_arrays *a, uint64_t first, int64_t row, float *sums);

#endif
