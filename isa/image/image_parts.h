/* What the files behind isa/image/image.h share. */
#ifndef GNNC_ISA_IMAGE_IMAGE_PARTS_H
#define GNNC_ISA_IMAGE_IMAGE_PARTS_H

#include "isa/image/image.h"
#include "support/text.h"

enum { IMAGE_ALIGNMENT = 64, IMAGE_MOST_CONSTANTS = 1024, IMAGE_LOADED = IMAGE_FEATURES + 1 };

/* Sections before IMAGE_LOADED are in DDR. */
static inline bool image_is_loaded(image_section_kind kind) {
  return (int)kind < IMAGE_LOADED;
}

/* The bytes of .note.gnnc: one note with the JSON of image.h. */
status image_note_make(const image *im, text *out);
/* Fills versions, device, fingerprint and compiler (in the arena) from the section. */
status image_note_read(arena *a, const unsigned char *data, uint64_t size, image *out);

/* Addresses, sizes and what must be there; no instruction is looked at. */
status image_check_sections(const image *im);

/* The section that holds all of [begin, end) of DDR; IMAGE_SECTIONS if none does. */
image_section_kind image_find_section(const image *im, uint64_t begin, uint64_t end);

#endif
