/* The calls of kernels in a phase's function. */
#ifndef GNNC_CODEGEN_C_INTERFACE_SEQUENCE_H
#define GNNC_CODEGEN_C_INTERFACE_SEQUENCE_H

#include "codegen/c/kernel/kernels.h"

/* Writes the calls in order, with pointers to everything they take. */
void c_sequence_emit(c_model *m, c_writer *w, const c_kernels *kernels);

#endif
