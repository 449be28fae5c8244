/* Operations of a kernel's body, one function each. */
#ifndef GNNC_CODEGEN_C_OPERATION_OPERATION_H
#define GNNC_CODEGEN_C_OPERATION_OPERATION_H

#include "codegen/c/body/body.h"

/* Writes one operation; this is the member `emit` of c_body. */
void c_operation_emit(c_body *b, MlirOperation op);

#endif
