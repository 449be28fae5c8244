/* The state of image_check, shared by its files. */
#ifndef GNNC_ISA_IMAGE_CHECK_H
#define GNNC_ISA_IMAGE_CHECK_H

#include "isa/graphagile/image_extremes.h"
#include "isa/image_parts.h"
#include "support/vec.h"

/* A load of edges by descriptors first .. end - 1, and which instruction it is. */
typedef struct image_load {
  uint64_t address, first, end;
  bool is_packed;
  int64_t layer, block;
  uint64_t at;
} image_load;

typedef struct image_checker {
  const image *im;
  arena *memory;
  image_records *records;
  isa_descriptor *descriptors; /* all of .desc */
  image_extremes_tree *extremes;
  VEC(image_load) loads;
  uint64_t iterations;  /* of loops, looked at one by one */
  int64_t layer, block; /* block -1: between layers */
  uint64_t at;          /* offset of the instruction in .text */
  isa_insn in;
  uint64_t first_descriptor, num_descriptors; /* of the layer: up to the end of .desc */
} image_checker;

/* What the descriptors of a loop have in common; made when an instruction first asks for it. */
typedef struct image_loop {
  uint64_t count, desc_start;
  bool has_extremes;
  image_extremes extremes;
} image_loop;

/* Decodes .desc; fails on a reserved bit or numbers beyond the device's buffers. */
status image_check_descriptors(image_checker *c);

/* Where the instruction reads and writes, in DDR and, where a descriptor says how much, in its buffer; `loop` is NULL outside of one. */
status image_check_memory(image_checker *c, image_loop *loop);

/* Notes a load, whose span was checked, by the instruction at hand; then, when all are known, checks the records of all, each distinct piece once. A failure leaves the
 * instruction's place in the checker. */
void image_loads_add(image_checker *c, uint64_t address, bool is_packed, uint64_t first, uint64_t count);
status image_loads_check(image_checker *c);

#endif
