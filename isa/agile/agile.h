/* Instructions of AGILE, from agile.def: agile_write, agile_insn, AGILE_OP_write,
 * AGILE_REGISTER_weights. */
#ifndef GNNC_ISA_AGILE_AGILE_H
#define GNNC_ISA_AGILE_AGILE_H

#include "isa/machine.h"

enum { AGILE_MAJOR = 1, AGILE_MINOR = 0, AGILE_INSN_BYTES = 16, AGILE_DESC_BYTES = 8 };

#define ISA_DEF "isa/agile/agile.def"
#define ISA_LOWER agile
#define ISA_UPPER AGILE
#include "isa/insn_structs.h"

extern const isa_table agile_isa;

#endif
