/* What the files that implement isa/image/image.h share. */
#ifndef GNNC_ISA_IMAGE_IMAGE_PARTS_H
#define GNNC_ISA_IMAGE_IMAGE_PARTS_H

#include "isa/image/image.h"
#include "support/text.h"

enum { IMAGE_ALIGNMENT = 64, IMAGE_MOST_CONSTANTS = 1024, IMAGE_LOADED = IMAGE_FEATURES + 1 };

/* Whether a section is in DDR: those before IMAGE_LOADED are. */
static inline bool image_is_loaded(image_section_kind kind) {
  return (int)kind < IMAGE_LOADED;
}

/* Makes the bytes of .note.gnnc: one note with the JSON that image.h describes. */
status image_note_make(const image *im, text *out);
/* Reads versions, device, fingerprint and compiler (in the arena) from the section. */
status image_note_read(arena *a, const unsigned char *data, uint64_t size, image *out);

/* Checks addresses and sizes, and that necessary sections exist; does not look at instructions. */
status image_check_sections(const image *im);

/* The section that contains all of [begin, end) of DDR; IMAGE_SECTIONS if none does. */
image_section_kind image_find_section(const image *im, uint64_t begin, uint64_t end);

#endif
