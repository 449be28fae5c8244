/* The functions of gnn-objdump that print the parts of an image. All append to `out`. */
#ifndef GNNC_TOOLS_GNN_OBJDUMP_GNN_OBJDUMP_H
#define GNNC_TOOLS_GNN_OBJDUMP_GNN_OBJDUMP_H

#include "isa/image/image.h"

/* Prints a summary of the program: versions, device, sizes, numbers of layers and instructions. */
void objdump_print_summary(const image *im, const char *name, text *out);

/* -h: prints a line per section. */
void objdump_print_sections(const image *im, text *out);

/* -m: prints sections and symbols in the order of their addresses, with the free memory between
 * sections. */
status objdump_print_memory(const image *im, text *out);

/* -t: prints inputs, outputs and tensors of the manifest; fails where it is no JSON object. */
status objdump_print_tensors(const image *im, text *out);

/* -s: prints the runs of the device and the steps of the host between them; fails where the
 * manifest is no JSON object. */
status objdump_print_steps(const image *im, text *out);

/* --manifest: prints the manifest unchanged but for indentation. */
status objdump_print_manifest(const image *im, text *out);

/* Counts the steps that are runs of the device and those of the host; both are 0 where the manifest
 * has no steps. */
void objdump_count_steps(const image *im, int64_t *runs, int64_t *host);

/* Prints an address as "0x1000", right-aligned. */
void objdump_print_address(text *out, uint64_t address, int width);

/* Prints the page isa_<machine>.md of a machine, from its table and its text. */
void objdump_print_isa_md(const machine *m, text *out);

#endif
