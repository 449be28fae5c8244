/* The phases that a generated program may have, a row for each (bind, run; of training bind, gradients, evaluate; of
 * derivatives bind, forward, evaluate, backward).
 *
 * To add a phase, add a row here, with functions that write its checks. Passes mark a function of
 * the IR with the phase's name as gnn.phase, and gnnc_model_info of runtime/gnnc/abi.h gets two
 * members for it. */
#ifndef GNNC_CODEGEN_C_INTERFACE_PHASES_H
#define GNNC_CODEGEN_C_INTERFACE_PHASES_H

#include "codegen/c/model/model.h"

/* In the order in which a program calls them; the last row has no name. c_train_phases are those of a program of
 * training, c_backward_phases those of a program of derivatives. */
extern const c_phase_row c_phases[], c_train_phases[], c_backward_phases[];

/* The public functions of a program of training that belong to no phase; the last one has no name. */
extern const c_phase_function c_train_functions[], c_backward_functions[];
/* The functions of this model that belong to no phase. */
const c_phase_function *c_phases_functions(const c_model *m);

#endif
