/* M.h: what a program that embeds the model includes. */
#ifndef GNNC_CODEGEN_C_INTERFACE_HEADER_H
#define GNNC_CODEGEN_C_INTERFACE_HEADER_H

#include "codegen/c/model/model.h"

/* Appends M.h, with the ABI header in it. */
void c_header_emit(const c_model *m, text *out);

/* What made the files: "\n * Made by gnnc 0.1.0 with -O2.", part of a comment; "" where the options do not say it. */
const char *c_made_by(const c_model *m);

#endif
