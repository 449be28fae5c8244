/* The memory of the PEs: tiles of weights and groups of biases, which stay there between runs. */
#ifndef GNNC_SIM_FUSEDGCN_WEIGHTS_H
#define GNNC_SIM_FUSEDGCN_WEIGHTS_H

#include "isa/fusedgcn/fusedgcn.h"

#include <stdbool.h>
#include <stdint.h>

enum { FUSEDGCN_LANES = 16 }; /* columns that are computed together */

typedef struct fusedgcn_tile {
  bool is_loaded;
  bool is_finite; /* all weights are numbers: a product with 0 is 0 */
  float *numbers; /* [rows][pitch]; of biases [pitch]; NULL: none were read */
} fusedgcn_tile;

typedef struct fusedgcn_weights {
  int rows, columns, mem;
  int pitch;                     /* columns, rounded up to a multiple of FUSEDGCN_LANES; the others are 0 */
  fusedgcn_tile *tiles, *biases; /* [mem] */
} fusedgcn_weights;

/* Creates empty memory; the caller destroys it, also after an error. */
status fusedgcn_weights_create(const fusedgcn_device *d, fusedgcn_weights *out);
void fusedgcn_weights_destroy(fusedgcn_weights *w);

/* Empties the memory. */
void fusedgcn_weights_forget(fusedgcn_weights *w);

/* Executes a LOADW of a checked program. Without a stream (NULL) places only count as filled. */
status fusedgcn_weights_load(fusedgcn_weights *w, const fusedgcn_loadw *in, const unsigned char *stream);

/* Whether all places that a RUN of the layer uses are filled; the error names the first that is
 * not. */
status fusedgcn_weights_check(const fusedgcn_weights *w, const fusedgcn_layer *layer, uint64_t first);

#endif
