/* Operations of a kernel's body, one function each. */
#ifndef GNNC_CODEGEN_C_OPERATION_OPERATION_H
#define GNNC_CODEGEN_C_OPERATION_OPERATION_H

#include "codegen/c/body/body.h"

/* Writes one; what `emit` of c_body is. */
void c_operation_emit(c_body *b, MlirOperation op);

#endif
