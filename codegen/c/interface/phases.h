/* The phases that a generated program may have, one row each.
 *
 * A new phase is a row here, with functions that write its checks. Passes give a function of the IR
 * the phase's name as gnn.phase; gnnc_model_info of runtime/gnnc/abi.h gets its two members. */
#ifndef GNNC_CODEGEN_C_INTERFACE_PHASES_H
#define GNNC_CODEGEN_C_INTERFACE_PHASES_H

#include "codegen/c/model/phase.h"

/* In the order in which a program goes through them; the last row has no name. */
extern const c_phase_row c_phases[];

#endif
