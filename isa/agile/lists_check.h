/* The check of a start of nodeslots: descriptors, and the lists that they name. */
#ifndef GNNC_ISA_AGILE_LISTS_CHECK_H
#define GNNC_ISA_AGILE_LISTS_CHECK_H

#include "isa/agile/format.h"
#include "isa/agile/program.h"
#include "isa/image/image_parts.h"

/* Checks the descriptors of a start of a layer whose registers were checked, and places of all
 * lists and results. *looks grows by the words that were looked at. */
status agile_descs_check(const image *im, const agile_state *s, uint64_t *looks);

/* The bytes that a start may write: from the result of its first node to that of its last. */
typedef struct agile_results {
  uint64_t begin, end; /* equal where no node runs */
} agile_results;

agile_results agile_results_of(const agile_state *s, const unsigned char *descs);

/* Checks the adjacency list of a descriptor, whose numbers are `words`: each offset is that of a row
 * in .features or .weights that the start does not write. */
status agile_list_check(const image *im, const agile_state *s, agile_results out, agile_desc d,
                        const unsigned char *words);

/* Where the lists of a descriptor begin. */
static inline uint64_t agile_list_address(const agile_state *s, agile_desc d) {
  return s->reg[AGILE_REGISTER_adjacency_list] + (uint64_t)d.list * AGILE_BEAT_BYTES;
}

static inline uint64_t agile_scales_address(const agile_state *s, agile_desc d) {
  return s->reg[AGILE_REGISTER_scale_factors] + (uint64_t)d.list * AGILE_BEAT_BYTES;
}

/* Checks that `bytes` bytes from an address on lie in one of the sections of a mask of IMAGE_*. */
status agile_span_check(const image *im, const char *what, uint64_t address, uint64_t bytes, uint32_t sections);

#endif
