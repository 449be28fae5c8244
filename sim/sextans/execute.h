/* The effect of a launch: C_out = alpha A B + beta C_in. */
#ifndef GNNC_SIM_SEXTANS_EXECUTE_H
#define GNNC_SIM_SEXTANS_EXECUTE_H

#include "sim/common/memory.h"
#include "sim/sextans/lists.h"

/* A launch of a checked program. */
typedef struct sextans_execution sextans_execution;

/* Finds the arrays in memory and allocates the sums of all PEs. `lists` outlives the result, which
 * the caller destroys. */
status sextans_execution_create(memory *m, const sextans_spmm *in, const sextans_device *d,
                                const sextans_decoded *lists, sextans_execution **out);
void sextans_execution_destroy(sextans_execution *e);

/* Computes columns 8 * pass .. 8 * pass + 7 of C_out, also those beyond n. */
void sextans_execution_pass(sextans_execution *e, int64_t pass);

#endif
