/* Which compiler made a program, and with which options. */
#ifndef GNNC_ISA_IMAGE_IMAGE_MADE_BY_H
#define GNNC_ISA_IMAGE_IMAGE_MADE_BY_H

#include "isa/image/image.h"
#include "support/text.h"

/* Appends "gnnc 0.1.0 with --target=host -O2": the compiler of the note and the manifest's
 * made_with; "unknown" where the note names none. One line, whatever the file holds: control
 * characters become '?'. */
void image_append_made_by(const image *im, text *out);

#endif
