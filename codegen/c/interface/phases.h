/* The phases that a generated program may have, one row each: adding a phase is adding a row. */
#ifndef GNNC_CODEGEN_C_INTERFACE_PHASES_H
#define GNNC_CODEGEN_C_INTERFACE_PHASES_H

#include "codegen/c/model/phase.h"

/* In the order in which a program goes through them; the last row has no name. */
extern const c_phase_row c_phases[];

#endif
