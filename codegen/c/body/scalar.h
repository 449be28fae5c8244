/* Expressions of element-wise operations. */
#ifndef GNNC_CODEGEN_C_BODY_SCALAR_H
#define GNNC_CODEGEN_C_BODY_SCALAR_H

#include "codegen/c/body/body.h"

/* True for operations whose element i depends on element i of the operands alone. */
bool c_scalar_is_elementwise(ir_op op);
/* The expression of an element-wise operation on operand texts. */
const char *c_scalar_expression(c_body *b, MlirOperation op, const char *const *operands);
/* The expression without a pair of parentheses around the whole. */
const char *c_scalar_bare(c_body *b, const char *expression);
/* A number as a literal of `real`. */
const char *c_scalar_literal(c_body *b, double value);

#endif
