/* Sums over rows of outer products: intra.contract, by contract_rows of the prelude. */
#ifndef GNNC_CODEGEN_C_KERNEL_CONTRACT_H
#define GNNC_CODEGEN_C_KERNEL_CONTRACT_H

#include "codegen/c/body/body.h"

/* Describes the call: its buffers, then the sets whose arrays it reads. */
c_kernel c_contract_make(c_model *m, const c_phase *phase, MlirOperation op);
/* Writes the call with the names of these, in their order. */
void c_contract_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                     c_timed timed);
/* Writes the part of a memory's layout for partial results, if phases of that memory need it. */
void c_contract_list_memory(const c_model *m, c_writer *w, bool is_struct, c_memory memory);

#endif
