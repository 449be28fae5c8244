/* Text about programs of AGILE: listings, and the size of device and program in a line each. */
#ifndef GNNC_ISA_AGILE_LISTING_H
#define GNNC_ISA_AGILE_LISTING_H

#include "isa/text/listing_parts.h"

/* "256 nodeslots, 32 read masters, up to 64 input and 64 output features" */
void agile_print_device(const device *d, text *out);
/* "3 layers, 66 records, 8124 descriptors" */
void agile_print_size(const image *im, text *out);

/* Prints the records, with what registers mean, and then the descriptors. Where one layer is asked
 * for, its descriptors follow it, with the lists that are in the file:
 *
 *   ; layer 0 'conv1.y' (line 12): 34 nodes, 190 neighbours
 *   0x00000020:  write reg=in_features, value=0x10             ; 16
 *   0x00000070:  write reg=in_messages, value=0x1c0            ; x
 *   ; node 3, 2 neighbours, float_32: 0.5 * 0x0, 0.25 * 0x40 */
status agile_listing_print(const listing_walk *w, uint64_t *layers);

#endif
