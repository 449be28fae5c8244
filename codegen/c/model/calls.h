/* Calls of routines that build arrays. They say which arrays of edge sets, and of nodes by type or
 * by graph, the model needs. */
#ifndef GNNC_CODEGEN_C_MODEL_CALLS_H
#define GNNC_CODEGEN_C_MODEL_CALLS_H

#include "codegen/c/model/model.h"

/* Notes what an intra.call asks for. */
void c_calls_read(c_model *m, MlirOperation op);

#endif
