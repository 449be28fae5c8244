/* Omits the copies of weights that only products read. */
#ifndef GNNC_CODEGEN_C_KERNEL_UNPACKED_H
#define GNNC_CODEGEN_C_KERNEL_UNPACKED_H

#include "codegen/c/kernel/kernels.h"

/* Marks the kernels as left out that copy a weight to the bound block for products alone, because
 * these read the packed form. `kernels` are those of all `count` phases. */
void c_unpacked_leave_out(c_model *m, const c_kernels *kernels, size_t count);

#endif
