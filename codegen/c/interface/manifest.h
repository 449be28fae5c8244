/* M.json: the facts of M.h for tools. */
#ifndef GNNC_CODEGEN_C_INTERFACE_MANIFEST_H
#define GNNC_CODEGEN_C_INTERFACE_MANIFEST_H

#include "codegen/c/model/model.h"

/* Appends M.json, keys sorted. */
void c_manifest_emit(const c_model *m, text *out);

#endif
