/* inter.softmax_incoming: a softmax over the edges into a node and the sums that it weights. */
#ifndef GNNC_CODEGEN_C_OPERATION_SOFTMAX_H
#define GNNC_CODEGEN_C_OPERATION_SOFTMAX_H

#include "codegen/c/body/body.h"

void c_softmax_emit(c_body *b, MlirOperation op);

#endif
