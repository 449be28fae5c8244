/* The part of the assembler for Sextans: directives for the elements of A. */
#ifndef GNNC_ISA_SEXTANS_ASSEMBLE_H
#define GNNC_ISA_SEXTANS_ASSEMBLE_H

#include "isa/text/assemble_parts.h"

enum { SEXTANS_MOST_BUBBLES = 1 << 20 }; /* of one .bubble */

extern const assemble_class sextans_assembler;

#endif
