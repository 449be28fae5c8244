/* The listing of the overlay's programs: assembly that gnn-as reads. */
#ifndef GNNC_ISA_GRAPHAGILE_LISTING_H
#define GNNC_ISA_GRAPHAGILE_LISTING_H

#include "isa/text/listing_parts.h"

/* Prints layers, blocks and instructions, then all descriptors; *layers becomes the number of
 * layers. Returns an error where .text is no program. */
status graphagile_listing_print(const listing_walk *w, uint64_t *layers);

/* Prints the .constant directives. */
void graphagile_listing_print_data(const image *im, text *out);

#endif
