/* Sections of an image whose contents are written when everything has its place. Until then an address
 * in a section is an offset with the section in its highest byte:
 *
 *   at = sections_reserve(&s, IMAGE_WEIGHTS, bytes); in.w = sections_tagged(IMAGE_WEIGHTS, at);    ...    in.w = sections_resolve(im, in.w); */
#ifndef GNNC_CODEGEN_DEVICE_SECTIONS_H
#define GNNC_CODEGEN_DEVICE_SECTIONS_H

#include "isa/image/image.h"
#include "support/arena.h"

typedef struct sections {
  uint64_t size[IMAGE_SECTIONS];
} sections;

/* Reserves bytes, aligned to 64, and returns their offset. */
uint64_t sections_reserve(sections *s, image_section_kind kind, int64_t bytes);

static inline uint64_t sections_tagged(image_section_kind kind, uint64_t offset) {
  return (uint64_t)(kind + 1) << 56 | offset;
}

/* The address that a tagged one stands for; an address without a tag is itself. */
uint64_t sections_resolve(const image *im, uint64_t address);

/* Gives the sections their places and sizes, one after the other in the order of `kinds`, from address
 * `first` on. */
void sections_lay_out(const sections *s, uint64_t first, const image_section_kind *kinds, int count, image *out);

/* Allocates the contents of a section, with zeros; those of an empty one are no part of the image. */
status sections_alloc(arena *a, image_section_kind kind, image *out, unsigned char **data);

/* Encodes the instructions of .text, whose addresses are resolved. `insns` are structs of the machine's
 * table. */
status sections_write_text(arena *a, const isa_table *t, const void *insns, size_t count, image *out);

#endif
