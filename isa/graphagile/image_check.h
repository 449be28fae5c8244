/* The check of the overlay's programs: every instruction decodes and passes graphagile_check;
 * tiling blocks end; loops lie inside their block; addresses of loads and stores within loaded
 * sections; descriptors within their tables and edges; records within the piece's rows, and pieces
 * overlap 16 times at most where they are many. Messages name the layer, the block, the instruction
 * and its address. What its files share is here. */
#ifndef GNNC_ISA_GRAPHAGILE_IMAGE_CHECK_H
#define GNNC_ISA_GRAPHAGILE_IMAGE_CHECK_H

#include "isa/graphagile/graphagile.h"
#include "isa/graphagile/image_extremes.h"
#include "isa/image/image_parts.h"
#include "support/vec.h"

/* A load of edges by descriptors first .. end - 1, and which instruction it is. */
typedef struct graphagile_image_load {
  uint64_t address, first, end;
  bool is_packed;
  int64_t layer, block;
  uint64_t at;
} graphagile_image_load;

/* Checks of records, each distinct piece once. */
typedef struct graphagile_image_records graphagile_image_records;
graphagile_image_records *graphagile_image_records_create(arena *a, const image *im);
/* `count` records from `address` on, which lie in .edges: sources below src_rows, destinations
 * within a Feature Buffer. */
status graphagile_image_records_check(graphagile_image_records *r, uint64_t address, uint32_t count, uint32_t src_rows,
                                      bool is_packed);

typedef struct graphagile_image_checker {
  const image *im;
  arena *memory;
  graphagile_image_records *records;
  graphagile_descriptor *descriptors; /* all of .desc */
  graphagile_image_extremes_tree *extremes;
  VEC(graphagile_image_load) loads;
  uint64_t iterations;  /* of loops, looked at one by one */
  int64_t layer, block; /* block -1: between layers */
  uint64_t at;          /* offset of the instruction in .text */
  graphagile_insn in;
  uint64_t first_descriptor, num_descriptors; /* of the layer: up to the end of .desc */
} graphagile_image_checker;

/* What the descriptors of a loop have in common; made when an instruction first asks for it. */
typedef struct graphagile_image_loop {
  uint64_t count, desc_start;
  bool has_extremes;
  graphagile_image_extremes extremes;
} graphagile_image_loop;

/* .text begins with the CSI of layer 0, or HALT; behind the last tiling block of a layer (at
 * tb_base where it has none) is the next CSI, or HALT behind the last. */
status graphagile_image_check(const image *im);

/* Whether records [first, end) of .text, which passed the check, are whole layers. */
status graphagile_run_check(const image *im, uint64_t first, uint64_t end);

/* Decodes .desc; fails on a reserved bit or numbers beyond the device's buffers. */
status graphagile_image_check_descriptors(graphagile_image_checker *c);

/* Where the instruction reads and writes, in DDR and, where a descriptor says how much, in its
 * buffer; `loop` is NULL outside of one. */
status graphagile_image_check_memory(graphagile_image_checker *c, graphagile_image_loop *loop);

/* Notes a load, whose span was checked, by the instruction at hand; then, when all are known,
 * checks the records of all, each distinct piece once. A failure leaves the instruction's place in
 * the checker. */
void graphagile_image_loads_add(graphagile_image_checker *c, uint64_t address, bool is_packed, uint64_t first,
                                uint64_t count);
status graphagile_image_loads_check(graphagile_image_checker *c);

#endif
