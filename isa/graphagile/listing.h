/* The listing of the overlay's programs. */
#ifndef GNNC_ISA_GRAPHAGILE_LISTING_H
#define GNNC_ISA_GRAPHAGILE_LISTING_H

#include "isa/text/listing_parts.h"

/* Layers, blocks, instructions, then all descriptors; *layers is how many layers there are. Fails
 * where .text is no program. */
status graphagile_listing_print(const listing_walk *w, uint64_t *layers);

/* .constant directives. */
void graphagile_listing_print_data(const image *im, text *out);

#endif
