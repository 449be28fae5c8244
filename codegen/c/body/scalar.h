/* Expressions of element-wise operations. */
#ifndef GNNC_CODEGEN_C_BODY_SCALAR_H
#define GNNC_CODEGEN_C_BODY_SCALAR_H

#include "codegen/c/body/body.h"

/* Whether element i of an operation's result depends on elements i of the operands alone. */
bool c_scalar_is_elementwise(ir_op op);
/* The number of an element-wise operation's operands that are payloads; cursors follow them. */
intptr_t c_scalar_count_operands(MlirOperation op);
/* The expression of an element-wise operation; `operands` are the expressions of its operands. */
const char *c_scalar_expression(c_body *b, MlirOperation op, const char *const *operands);
/* The expression without the parentheses around the whole. */
const char *c_scalar_bare(c_body *b, const char *expression);
/* A number as a literal of `real`. */
const char *c_scalar_literal(c_body *b, double value);

#endif
