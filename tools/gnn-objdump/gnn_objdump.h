/* What the files of gnn-objdump share: each prints one part of an image. */
#ifndef GNNC_TOOLS_GNN_OBJDUMP_GNN_OBJDUMP_H
#define GNNC_TOOLS_GNN_OBJDUMP_GNN_OBJDUMP_H

#include "isa/image/image.h"

/* What the program is: versions, device, sizes, numbers of layers and instructions. */
void objdump_print_summary(const image *im, const char *name, text *out);

/* -h: a line per section. */
void objdump_print_sections(const image *im, text *out);

/* -m: sections and symbols in the order of their addresses, with what is free between sections. */
status objdump_print_memory(const image *im, text *out);

/* -t: inputs, outputs and tensors of the manifest; fails where it is no JSON object. */
status objdump_print_tensors(const image *im, text *out);

/* -s: runs of the device and what the host computes between them; fails where the manifest is no
 * JSON object. */
status objdump_print_steps(const image *im, text *out);

/* --manifest: as it is, indented. */
status objdump_print_manifest(const image *im, text *out);

/* How many steps are runs of the device and how many the host's; 0 and 0 where the manifest lists
 * none. */
void objdump_count_steps(const image *im, int64_t *runs, int64_t *host);

/* "0x1000", right-aligned. */
void objdump_print_address(text *out, uint64_t address, int width);

/* The page isa_<machine>.md of a machine, from its table and its prose. */
void objdump_print_isa_md(const machine *m, text *out);

#endif
