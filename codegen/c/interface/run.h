/* The text of run: its arguments checked. What a row of phases.c points to. */
#ifndef GNNC_CODEGEN_C_INTERFACE_RUN_H
#define GNNC_CODEGEN_C_INTERFACE_RUN_H

#include "codegen/c/model/model.h"

void c_run_emit_helpers(c_model *m, c_writer *w);
void c_run_emit_bytes(c_model *m, c_writer *w);
void c_run_emit_begin(c_model *m, c_writer *w);

#endif
