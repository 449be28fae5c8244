/* The public functions of a generated model: bound_bytes, bind, workspace_bytes, run and info. */
#ifndef GNNC_CODEGEN_C_PHASE_H
#define GNNC_CODEGEN_C_PHASE_H

#include "codegen/c/kernel.h"

void c_phase_emit_bind(c_model *m, c_writer *w, const c_kernels *kernels);
void c_phase_emit_run(c_model *m, c_writer *w, const c_kernels *kernels);
/* The calls of kernels in order, with pointers to everything they take; for bind.c and run.c. */
void c_phase_emit_calls(c_model *m, c_writer *w, const c_phase *phase, const c_kernels *kernels);
/* The static tables and adaptors behind M_info. */
void c_info_emit(c_model *m, c_writer *w);

#endif
