/* Extremes of ranges of descriptors in logarithmic time, for the check of images. */
#ifndef GNNC_ISA_GRAPHAGILE_IMAGE_EXTREMES_H
#define GNNC_ISA_GRAPHAGILE_IMAGE_EXTREMES_H

#include "isa/graphagile/graphagile.h"
#include "support/arena.h"

typedef struct graphagile_image_extremes {
  uint64_t first_row, rows_end, most_rows; /* rows of sources: smallest first row, largest end, most rows */
  uint64_t first_edge, edges_end,
      most_edges; /* in the relation's array; first_edge is UINT64_MAX where no descriptor has edges */
  bool has_second;
} graphagile_image_extremes;

typedef struct graphagile_image_extremes_tree graphagile_image_extremes_tree;

/* Builds the tree in the arena; it refers to the descriptors, which must outlive it. NULL where
 * memory is out. */
graphagile_image_extremes_tree *graphagile_image_extremes_create(arena *a, const graphagile_descriptor *descriptors,
                                                                 uint64_t count);

/* The extremes of `count` descriptors from `first` on, which must exist. */
graphagile_image_extremes graphagile_image_extremes_find(const graphagile_image_extremes_tree *t, uint64_t first,
                                                         uint64_t count);

#endif
