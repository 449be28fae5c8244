/* intra.unite: values of nodes that are stored type by type. */
#ifndef GNNC_CODEGEN_C_OPERATION_UNITE_H
#define GNNC_CODEGEN_C_OPERATION_UNITE_H

#include "codegen/c/body/body.h"

void c_unite_emit(c_body *b, MlirOperation op);

#endif
