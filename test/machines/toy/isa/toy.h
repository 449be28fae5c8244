/* Instructions of the toy, from toy.def: toy_add, toy_insn, TOY_OP_add. */
#ifndef GNNC_TEST_MACHINES_TOY_ISA_TOY_H
#define GNNC_TEST_MACHINES_TOY_ISA_TOY_H

#include "isa/machine.h"
#include "toy/isa/device.h"

enum { TOY_MAJOR = 1, TOY_MINOR = 0, TOY_INSN_BYTES = 16, TOY_ALIGN = 64 };

#define ISA_DEF "toy/isa/toy.def"
#define ISA_LOWER toy
#define ISA_UPPER TOY
#include "isa/insn_structs.h"

extern const isa_table toy_isa;
extern const machine toy_machine;

#endif
