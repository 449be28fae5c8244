/* The two texts beside M.c. */
#ifndef GNNC_CODEGEN_C_TEXT_OUTPUTS_H
#define GNNC_CODEGEN_C_TEXT_OUTPUTS_H

#include "codegen/c/model.h"

/* M.h with the ABI header in it. */
void c_header_emit(const c_model *m, text *out);
/* M.json: the facts of M.h for tools, keys sorted. */
void c_manifest_emit(const c_model *m, text *out);

#endif
