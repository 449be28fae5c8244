/* The text of the generated run function, and of those of training that run. phases.c points to these
 * functions. */
#ifndef GNNC_CODEGEN_C_INTERFACE_RUN_H
#define GNNC_CODEGEN_C_INTERFACE_RUN_H

#include "codegen/c/model/model.h"

/* Helper functions; the size of the workspace; checks of the arguments before the kernels. */
void c_run_emit_helpers(c_model *m, c_writer *w);
void c_run_emit_bytes(c_model *m, c_writer *w);
void c_run_emit_begin(c_model *m, c_writer *w, const c_phase_row *row);

#endif
