/* The part of the assembler for FusedGCN: a directive for bf16 numbers. */
#ifndef GNNC_ISA_FUSEDGCN_ASSEMBLE_H
#define GNNC_ISA_FUSEDGCN_ASSEMBLE_H

#include "isa/text/assemble_parts.h"

extern const assemble_class fusedgcn_assembler;

#endif
