/* Instructions of Sextans, from sextans.def: sextans_spmm, sextans_insn, SEXTANS_OP_spmm. */
#ifndef GNNC_ISA_SEXTANS_SEXTANS_H
#define GNNC_ISA_SEXTANS_SEXTANS_H

#include "isa/machine.h"

enum { SEXTANS_MAJOR = 1, SEXTANS_MINOR = 0, SEXTANS_INSN_BYTES = 128 };

#define ISA_DEF "isa/sextans/sextans.def"
#define ISA_LOWER sextans
#define ISA_UPPER SEXTANS
#include "isa/insn_structs.h"

extern const isa_table sextans_isa;

#endif
