/* The text of the generated bind function. phases.c points to these functions. */
#ifndef GNNC_CODEGEN_C_INTERFACE_BIND_H
#define GNNC_CODEGEN_C_INTERFACE_BIND_H

#include "codegen/c/model/model.h"

/* The size of the bound block; checks and preparations before the kernels of bind; what follows
 * them. */
void c_bind_emit_bytes(c_model *m, c_writer *w);
void c_bind_emit_begin(c_model *m, c_writer *w, const c_phase_row *row);
void c_bind_emit_end(c_model *m, c_writer *w);

#endif
