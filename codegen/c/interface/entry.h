/* The entry points of a model: the public functions of its phases. */
#ifndef GNNC_CODEGEN_C_INTERFACE_ENTRY_H
#define GNNC_CODEGEN_C_INTERFACE_ENTRY_H

#include "codegen/c/kernel/kernels.h"

/* Writes the function of the phase that these kernels belong to, and the function that returns how
 * many bytes it needs. */
void c_entry_emit(c_model *m, c_writer *w, const c_kernels *kernels);

#endif
