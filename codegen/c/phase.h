/* The public functions of a generated model: bound_bytes, bind, workspace_bytes, run and info. */
#ifndef GNNC_CODEGEN_C_PHASE_H
#define GNNC_CODEGEN_C_PHASE_H

#include "codegen/c/kernel.h"

void c_phase_emit_bind(c_model *m, c_writer *w, const c_kernels *kernels);
void c_phase_emit_run(c_model *m, c_writer *w, const c_kernels *kernels);
/* The calls of kernels in order, with pointers to everything they take; for bind.c and run.c. */
void c_phase_emit_calls(c_model *m, c_writer *w, const c_phase *phase, const c_kernels *kernels);
/* bind.c: a place of the bound block in bind's text; arrays of a set that the model does not make may be asked for as NULL. */
const char *c_bind_array(const c_model *m, const c_set *set, c_array array);
const char *c_bind_array_or_null(const c_model *m, const c_set *set, c_array array);
const char *c_bind_scratch(const c_model *m, const char *name);
/* typed_bind.c: pairs, segments, parts and members of graphs, once edges are grouped by their ends. */
void c_typed_emit_bind(c_model *m, c_writer *w);
/* The static tables and adaptors behind M_info. */
void c_info_emit(c_model *m, c_writer *w);

#endif
