/* M.h: the header for programs that embed the model. */
#ifndef GNNC_CODEGEN_C_INTERFACE_HEADER_H
#define GNNC_CODEGEN_C_INTERFACE_HEADER_H

#include "codegen/c/model/model.h"

/* Appends M.h, with the ABI header in it. */
void c_header_emit(const c_model *m, text *out);

/* A part of a comment that names the compiler: "\n * Made by gnnc 0.1.0 with -O2."; "" where the
 * options do not say it. */
const char *c_made_by(const c_model *m);

#endif
