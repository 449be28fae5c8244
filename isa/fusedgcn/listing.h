/* Text about programs of FusedGCN: listings, and the size of device and program in a line each. */
#ifndef GNNC_ISA_FUSEDGCN_LISTING_H
#define GNNC_ISA_FUSEDGCN_LISTING_H

#include "isa/text/listing_parts.h"

/* "16 x 16 PEs, 512 weights each" */
void fusedgcn_print_device(const device *d, text *out);
/* "2 runs, 91 tiles of weights" */
void fusedgcn_print_size(const image *im, text *out);

/* Prints .weights as .bf16. */
bool fusedgcn_print_section(const image *im, int kind, text *out);

/* Prints the records. Records with the same `layer` one after another are a layer; comments say what
 * S has. Where one layer is asked for, comments also have each non-zero of a RUN:
 *
 *   ; layer 0 'conv1.y' (line 12): 1 run
 *   0x00000000:  layer act=relu, n=3, nnz=4, i=16, ...
 *   ; S: 3 rows with 4 non-zeros, at most 2 in a row
 *   0x00000080:  run hi=3
 *   ; row 0, non-zero 1: OUT[0] += 0.5 * H[2] W */
status fusedgcn_listing_print(const listing_walk *w, uint64_t *layers);

#endif
