/* The text of bind: the graph checked and grouped, weights kept. What a row of phases.c points
 * to. */
#ifndef GNNC_CODEGEN_C_INTERFACE_BIND_H
#define GNNC_CODEGEN_C_INTERFACE_BIND_H

#include "codegen/c/model/model.h"

void c_bind_emit_bytes(c_model *m, c_writer *w);
void c_bind_emit_begin(c_model *m, c_writer *w);
void c_bind_emit_end(c_model *m, c_writer *w);

#endif
