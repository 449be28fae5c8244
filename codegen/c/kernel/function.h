/* The function that a kernel is: what stands around its body. */
#ifndef GNNC_CODEGEN_C_KERNEL_FUNCTION_H
#define GNNC_CODEGEN_C_KERNEL_FUNCTION_H

#include "codegen/c/body/body.h"

/* Writes the comment, which begins with `what`, the parameters and the body of the kernel to
 * b->w. */
void c_function_emit(c_body *b, const char *what, const char *body);

#endif
