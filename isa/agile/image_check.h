/* The check of a program of AGILE. */
#ifndef GNNC_ISA_AGILE_IMAGE_CHECK_H
#define GNNC_ISA_AGILE_IMAGE_CHECK_H

#include "isa/image/image.h"

/* Checks all records: their order, the sizes of layers, and that no nodeslot reads or writes outside
 * of its memory, as far as the file has the lists. */
status agile_image_check(const image *im);

/* Records first .. end - 1 can run alone if they are whole layers: registers are 0 where a layer
 * begins. */
status agile_run_check(const image *im, uint64_t first, uint64_t end);

#endif
