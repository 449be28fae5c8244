/* The check of a program of Sextans. */
#ifndef GNNC_ISA_SEXTANS_IMAGE_CHECK_H
#define GNNC_ISA_SEXTANS_IMAGE_CHECK_H

#include "isa/image/image.h"

/* Checks all records: no launch reads or writes outside of its arrays, and the lists of A that are
 * in the file name rows of B and C that exist. The distance between non-zeros of a row is not
 * checked; the simulator does it. */
status sextans_image_check(const image *im);

/* Records first .. end - 1 can run alone if they are records of the program. */
status sextans_run_check(const image *im, uint64_t first, uint64_t end);

#endif
