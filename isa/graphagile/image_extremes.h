/* Extremes of runs of descriptors in logarithmic time, for the check of images. */
#ifndef GNNC_ISA_GRAPHAGILE_IMAGE_EXTREMES_H
#define GNNC_ISA_GRAPHAGILE_IMAGE_EXTREMES_H

#include "isa/graphagile/graphagile.h"
#include "support/arena.h"

typedef struct graphagile_image_extremes {
  uint64_t first_row, rows_end, most_rows; /* of sources */
  uint64_t first_edge, edges_end,
      most_edges; /* in the relation's array; first_edge is UINT64_MAX where no descriptor has edges */
  bool has_second;
} graphagile_image_extremes;

typedef struct graphagile_image_extremes_tree graphagile_image_extremes_tree;

/* In the arena, with the descriptors by reference; NULL where memory is out. */
graphagile_image_extremes_tree *graphagile_image_extremes_create(arena *a, const graphagile_descriptor *descriptors,
                                                                 uint64_t count);

/* Of `count` descriptors from `first` on, which are there. */
graphagile_image_extremes graphagile_image_extremes_find(const graphagile_image_extremes_tree *t, uint64_t first,
                                                         uint64_t count);

#endif
