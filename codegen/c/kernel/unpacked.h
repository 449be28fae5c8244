/* Weights that products alone read, of which no unpacked copy is kept. */
#ifndef GNNC_CODEGEN_C_KERNEL_UNPACKED_H
#define GNNC_CODEGEN_C_KERNEL_UNPACKED_H

#include "codegen/c/kernel/kernels.h"

/* Leaves out the kernels that would copy a weight to the bound block for products alone, which read
 * the packed form. `kernels` are those of all `count` phases. */
void c_unpacked_leave_out(c_model *m, const c_kernels *kernels, size_t count);

#endif
