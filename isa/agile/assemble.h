/* The part of the assembler for AGILE: directives for descriptors. */
#ifndef GNNC_ISA_AGILE_ASSEMBLE_H
#define GNNC_ISA_AGILE_ASSEMBLE_H

#include "isa/text/assemble_parts.h"

enum { AGILE_MOST_EMPTY = 1 << 20 }; /* of one .empty */

extern const assemble_class agile_assembler;

#endif
