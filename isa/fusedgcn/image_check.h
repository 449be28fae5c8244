/* The check of a program of FusedGCN. */
#ifndef GNNC_ISA_FUSEDGCN_IMAGE_CHECK_H
#define GNNC_ISA_FUSEDGCN_IMAGE_CHECK_H

#include "isa/fusedgcn/fusedgcn.h"
#include "isa/image/image.h"

/* Checks all records: no RUN reads or writes outside of its arrays, and each finds weights that a
 * LOADW before it has loaded. */
status fusedgcn_image_check(const image *im);

/* Records first .. end - 1 can run alone if they are records of the program, and have the LAYER of
 * their first RUN among them. Weights stay in the PEs between runs. */
status fusedgcn_run_check(const image *im, uint64_t first, uint64_t end);

/* Checks a RUN of a layer on a device: its rows, and places of its tiles. */
status fusedgcn_rows_check(const fusedgcn_device *d, const fusedgcn_layer *layer, const fusedgcn_run *in);

#endif
