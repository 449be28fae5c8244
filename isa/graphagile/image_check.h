/* The check of the overlay's programs. Every instruction must decode and pass graphagile_check;
 * tiling blocks must end, and loops must lie inside of their block; loads and stores must lie
 * within loaded sections, descriptors within their tables, edges within their lists; the rows in
 * records must lie within those of the piece. In large programs pieces may overlap at most 16
 * times, so that the check takes time proportional to the file. Errors name the layer, the block,
 * the instruction and its address. This header has what the files of the check share. */
#ifndef GNNC_ISA_GRAPHAGILE_IMAGE_CHECK_H
#define GNNC_ISA_GRAPHAGILE_IMAGE_CHECK_H

#include "isa/graphagile/graphagile.h"
#include "isa/graphagile/image_extremes.h"
#include "isa/image/image_parts.h"
#include "support/vec.h"

/* A load of edges by descriptors first .. end - 1, and the place of its instruction. */
typedef struct graphagile_image_load {
  uint64_t address, first, end, form;
  int64_t layer, block;
  uint64_t at;
} graphagile_image_load;

/* Checks records; each distinct piece is checked once. */
typedef struct graphagile_image_records graphagile_image_records;
graphagile_image_records *graphagile_image_records_create(arena *a, const image *im);
/* Checks `count` records of a form from `address` on, which lie in .edges: sources must be below src_rows,
 * destinations within a Feature Buffer. */
status graphagile_image_records_check(graphagile_image_records *r, uint64_t address, uint32_t count, uint32_t src_rows,
                                      uint64_t form);

/* The state of the check. */
typedef struct graphagile_image_checker {
  const image *im;
  arena *memory;
  graphagile_image_records *records;
  graphagile_descriptor *descriptors; /* all descriptors of .desc */
  graphagile_image_extremes_tree *extremes;
  VEC(graphagile_image_load) loads;
  uint64_t iterations;                        /* iterations of loops that were checked one by one */
  int64_t layer, block;                       /* block -1: between layers */
  uint64_t at;                                /* offset in .text of the current instruction */
  graphagile_insn in;                         /* the current instruction */
  uint64_t first_descriptor, num_descriptors; /* of the layer: from desc_base to the end of .desc */
} graphagile_image_checker;

/* A loop, with the extremes of its descriptors, which are found when an instruction first needs
 * them. */
typedef struct graphagile_image_loop {
  uint64_t count, desc_start;
  bool has_extremes;
  graphagile_image_extremes extremes;
} graphagile_image_loop;

/* Checks the program of an image. .text must begin with the CSI of layer 0 or with HALT. After the
 * last tiling block of a layer (at tb_base, where it has none) the next CSI must follow, or HALT
 * after the last layer. */
status graphagile_image_check(const image *im);

/* Whether instructions [first, end) of .text, which has passed the check, are whole layers. */
status graphagile_run_check(const image *im, uint64_t first, uint64_t end);

/* Decodes .desc; a reserved bit or a number beyond the device's buffers is an error. */
status graphagile_image_check_descriptors(graphagile_image_checker *c);

/* Checks the DDR region of the current instruction and, where a descriptor says how large it is,
 * the region in its buffer; `loop` is NULL outside of a loop. */
status graphagile_image_check_memory(graphagile_image_checker *c, graphagile_image_loop *loop);

/* The first function notes a load of edges by the current instruction, whose DDR region was
 * checked. The second one, to be called at the end, checks the records of all loads, each distinct
 * piece once. After an error the checker names the instruction that loads the piece. */
void graphagile_image_loads_add(graphagile_image_checker *c, uint64_t address, uint64_t form, uint64_t first,
                                uint64_t count);
status graphagile_image_loads_check(graphagile_image_checker *c);

#endif
