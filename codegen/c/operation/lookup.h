/* Rows of tables that an index picks. */
#ifndef GNNC_CODEGEN_C_OPERATION_LOOKUP_H
#define GNNC_CODEGEN_C_OPERATION_LOOKUP_H

#include "codegen/c/body/body.h"

/* Writes gnn.lookup: a pointer to the row, or its number. */
void c_lookup_emit(c_body *b, MlirOperation op);

#endif
