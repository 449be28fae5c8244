/* Dropout inside a body: factors 0 or 1 / (1 - p) of a row, from random numbers. */
#ifndef GNNC_CODEGEN_C_OPERATION_DROPOUT_H
#define GNNC_CODEGEN_C_OPERATION_DROPOUT_H

#include "codegen/c/body/body.h"

void c_dropout_emit(c_body *b, MlirOperation op);
/* The smallest random word with which a number is kept. */
unsigned c_dropout_limit(double p);

#endif
