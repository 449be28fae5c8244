/* Assembles text to program images: the language of gnn-as (docs/man/gnn-as.1). The device,
 * sections and symbols are written in the same way for every machine; instructions come from the
 * machine's table, and a machine may have directives of its own (isa/<machine>/assemble.c). A
 * program of the default machine consists of data and of Layer Blocks of tiling blocks:
 *
 *   .machine toy                              ; first, where it is not the default machine
 *   .device num_pes=2, width=4                ; parameters other than the default's
 *   .constant 0.2                             ; constant 1; constant 0 is 1.0
 *   .section weights at 0x10000               ; weights, edges or features; also text, desc, constants; "at" may be left out
 *   w: .f32 1, 2, 3, 4                        ; a label is a symbol: addr=w+16
 *   .section edges                            ; or desc, with .desc lines that layers share: .layer spdmm desc=SYMBOL
 *   .edge adj 0 1 0.5                         ; relation (may be left out), source, destination, weight (1 if left out)
 *   .section features
 *   x: .zero 1024
 *   .layer spdmm                              ; its CSI is made from the blocks that follow, as HALT is at the end
 *   .desc 0, 1, 0, 16                         ; first_edge, num_edges, src_row, src_rows; then second, reuse
 *   .block                                    ; the last instruction gets eot
 *     memrd F0, addr=x, count=16, lock, wait
 *     memwr F0, addr=x, count=16, unlock
 */
#ifndef GNNC_ISA_TEXT_ASSEMBLE_H
#define GNNC_ISA_TEXT_ASSEMBLE_H

#include "isa/image/image.h"
#include "support/diag.h"

typedef struct assemble_options {
  const device *device; /* the device that .device lines change; .machine must name its machine. NULL: the machine's
                         * default device */
  bool is_unchecked;    /* instructions that the machine's check refuses are accepted, for tests of the other checks */
  const char *compiler; /* for the image's note; NULL: "gnn-as" */
} assemble_options;

/* Assembles a whole text. Reports all errors in it with their places; then returns false and does
 * not set `out`. Options may be NULL. The image lives as long as the arena and has no manifest
 * (.gnnc.program). The caller calls image_check. */
bool assemble_program(arena *a, const source *words, const assemble_options *options, diag *d, image *out);

/* Reads one instruction of a machine as isa_print writes it, with addresses as numbers, into its
 * struct. Returns the first error. Does not check what the device refuses. */
status assemble_instruction(const machine *m, const char *words, void *out);

#endif
