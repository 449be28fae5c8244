/* The C function of a kernel: comment, parameters and body. */
#ifndef GNNC_CODEGEN_C_KERNEL_FUNCTION_H
#define GNNC_CODEGEN_C_KERNEL_FUNCTION_H

#include "codegen/c/body/body.h"

/* Writes to b->w the comment, which begins with `what`, then parameters and body. */
void c_function_emit(c_body *b, const char *what, const char *body);

#endif
