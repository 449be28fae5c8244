/* Describes the device and the size of a program in one line each, for gnn-objdump. */
#ifndef GNNC_ISA_GRAPHAGILE_SUMMARY_H
#define GNNC_ISA_GRAPHAGILE_SUMMARY_H

#include "isa/image/image.h"

/* Appends "8 PEs of 16 columns, buffers of 16384 rows, ...". */
void graphagile_summary_print_device(const device *d, text *out);
/* Appends "2 layers, 4 tiling blocks, 40 instructions, 3 constants". */
void graphagile_summary_print_size(const image *im, text *out);

#endif
