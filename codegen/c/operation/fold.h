/* Folds: loops with a state. */
#ifndef GNNC_CODEGEN_C_OPERATION_FOLD_H
#define GNNC_CODEGEN_C_OPERATION_FOLD_H

#include "codegen/c/body/body.h"

/* inter.fold. */
void c_fold_emit(c_body *b, MlirOperation op);

#endif
