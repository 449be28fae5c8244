/* M.h: what a program that embeds the model includes. */
#ifndef GNNC_CODEGEN_C_INTERFACE_HEADER_H
#define GNNC_CODEGEN_C_INTERFACE_HEADER_H

#include "codegen/c/model/model.h"

/* Appends M.h, with the ABI header in it. */
void c_header_emit(const c_model *m, text *out);

#endif
