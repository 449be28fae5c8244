/* Text about programs of Sextans: listings, and the size of device and program in a line each. */
#ifndef GNNC_ISA_SEXTANS_LISTING_H
#define GNNC_ISA_SEXTANS_LISTING_H

#include "isa/text/listing_parts.h"

/* "64 PEs of 8 columns, windows of 4096 rows of B, 12288 rows of C each" */
void sextans_print_device(const device *d, text *out);
/* "3 launches" */
void sextans_print_size(const image *im, text *out);

/* Prints .weights as .element and .bubble. */
bool sextans_print_section(const image *im, int kind, text *out);

/* Prints the records. Records with the same `layer` one after another are a layer; comments say
 * what each window of A holds. Where one layer is asked for, comments also have each non-zero:
 *
 *   ; layer 0 'conv1.y' (line 12): 1 launch
 *   0x00000000:  spmm n=16, m=4, k=4, windows=1, slots=11, alpha=1, q=0x100, ...
 *   ; window 0: slots 0 to 11, 10 non-zeros, 694 bubbles
 *   ; window 0, slot 3, PE 1: C[1] += 0.5 * B[2] */
status sextans_listing_print(const listing_walk *w, uint64_t *layers);

#endif
