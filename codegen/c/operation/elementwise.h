/* Element-wise operations, and operations that move elements. */
#ifndef GNNC_CODEGEN_C_OPERATION_ELEMENTWISE_H
#define GNNC_CODEGEN_C_OPERATION_ELEMENTWISE_H

#include "codegen/c/body/body.h"

/* The operations in the table of body/scalar.c. */
void c_elementwise_emit(c_body *b, MlirOperation op);
/* The same for an operation that multiplies its operand by `factors`: an array of them, a number where the payload is
 * one. NULL: as before. */
void c_elementwise_emit_with(c_body *b, MlirOperation op, const char *factors);
void c_elementwise_emit_constant(c_body *b, MlirOperation op);
void c_elementwise_emit_reshape(c_body *b, MlirOperation op);
void c_elementwise_emit_concat(c_body *b, MlirOperation op);
/* gnn.transpose, gnn.columns, gnn.outer and gnn.iota. */
void c_elementwise_emit_moved(c_body *b, MlirOperation op);
void c_elementwise_emit_view(c_body *b, MlirOperation op);

#endif
