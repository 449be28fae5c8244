/* Sums of the rows with each index: intra.sum_by, by sum_rows_by of the prelude. */
#ifndef GNNC_CODEGEN_C_KERNEL_SUM_BY_H
#define GNNC_CODEGEN_C_KERNEL_SUM_BY_H

#include "codegen/c/body/body.h"

/* Describes the call: its buffers, then the sets whose arrays it reads. */
c_kernel c_sum_by_make(c_model *m, const c_phase *phase, MlirOperation op);
/* Writes the call with the names of these, in their order. */
void c_sum_by_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                   c_timed timed);
/* Writes the part of a memory's layout for sums of doubles that become the caller's floats, if phases of that memory need it. */
void c_sum_by_list_memory(const c_model *m, c_writer *w, bool is_struct, c_memory memory);

#endif
