/* The overlay's part of the assembler: its directives, and the structure of layers and blocks. */
#ifndef GNNC_ISA_GRAPHAGILE_ASSEMBLE_H
#define GNNC_ISA_GRAPHAGILE_ASSEMBLE_H

#include "isa/text/assemble_parts.h"

extern const assemble_class graphagile_assembler;

#endif
