/* The state of image_check, shared by its two files. */
#ifndef GNNC_ISA_IMAGE_CHECK_H
#define GNNC_ISA_IMAGE_CHECK_H

#include "isa/image_parts.h"

typedef struct image_checker {
  const image *im;
  arena *memory;
  image_records *records;
  isa_descriptor *descriptors; /* all of .desc */
  uint64_t *loaded;            /* per descriptor: the load of edges (address, form) that it was last checked for */
  int64_t layer, block;        /* block -1: between layers */
  uint64_t at;                 /* offset of the instruction in .text */
  isa_insn in;
  uint64_t first_descriptor, num_descriptors; /* of the layer: up to the end of .desc */
} image_checker;

/* What the descriptors of a loop have in common; made when an instruction first asks for it. */
typedef struct image_loop {
  uint64_t count, desc_start;
  bool has_extremes, has_second;
  uint64_t first_row, rows_end, most_rows;    /* of sources */
  uint64_t first_edge, edges_end, most_edges; /* in the relation's array */
} image_loop;

/* Decodes .desc; fails on a reserved bit or numbers beyond the device's buffers. */
status image_check_descriptors(image_checker *c);

/* Where the instruction reads and writes, in DDR and, where a descriptor says how much, in its buffer; `loop` is NULL outside of one. */
status image_check_memory(image_checker *c, image_loop *loop);

#endif
