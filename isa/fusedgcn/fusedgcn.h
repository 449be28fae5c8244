/* Instructions of FusedGCN, from fusedgcn.def: fusedgcn_layer, fusedgcn_insn, FUSEDGCN_OP_layer. */
#ifndef GNNC_ISA_FUSEDGCN_FUSEDGCN_H
#define GNNC_ISA_FUSEDGCN_FUSEDGCN_H

#include "isa/machine.h"

enum { FUSEDGCN_MAJOR = 1, FUSEDGCN_MINOR = 0, FUSEDGCN_INSN_BYTES = 128 };

#define ISA_DEF "isa/fusedgcn/fusedgcn.def"
#define ISA_LOWER fusedgcn
#define ISA_UPPER FUSEDGCN
#include "isa/insn_structs.h"

extern const isa_table fusedgcn_isa;

#endif
