/* M.json: the content of M.h for tools. */
#ifndef GNNC_CODEGEN_C_INTERFACE_MANIFEST_H
#define GNNC_CODEGEN_C_INTERFACE_MANIFEST_H

#include "codegen/c/model/model.h"

/* Appends M.json with its keys sorted. */
void c_manifest_emit(const c_model *m, text *out);

#endif
