/* Programs as text: gnnc --emit=asm and gnn-objdump -d print it, and gnn-as reads it. */
#ifndef GNNC_ISA_TEXT_LISTING_H
#define GNNC_ISA_TEXT_LISTING_H

#include "isa/image/image.h"

/* Appends the instructions of a program with their addresses, layer by layer and block by block,
 * then the descriptor tables:
 *
 *   ; made by gnnc 0.1.0 with --target=host -O2
 *   .machine toy                      ; where it is not the default machine
 *   ; layer 0 'conv1.y' (line 12): 2 blocks, csi at 0x0
 *   .layer spdmm desc=0x1c0
 *   .block                            ; 0
 *   0x00000010:  memrd F0, addr=0x4c0, count=64, lock, wait    ; x+0x40
 *
 * Names come from symbols and the manifest, where these have them. On a word that is no
 * instruction, or a block without an end, it returns an error with the text up to there; images
 * from image_open have neither. */
status listing_print(const image *im, text *out);

/* Prints one layer; for a number that does not exist the error names the number of layers. */
status listing_print_layer(const image *im, uint64_t layer, text *out);

/* Prints everything of an image but its manifest: device, constants, sections with their contents,
 * symbols, program. gnn-as makes the same loaded sections from it. */
status listing_print_assembly(const image *im, text *out);

#endif
