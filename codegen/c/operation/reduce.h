/* Operations that reduce over the last dimension. */
#ifndef GNNC_CODEGEN_C_OPERATION_REDUCE_H
#define GNNC_CODEGEN_C_OPERATION_REDUCE_H

#include "codegen/c/body/body.h"

/* gnn.vector_inner. */
void c_reduce_emit_inner(c_body *b, MlirOperation op);
void c_reduce_emit(c_body *b, MlirOperation op);
/* intra.combine. */
void c_reduce_emit_pieces(c_body *b, MlirOperation op);
void c_reduce_emit_argmax(c_body *b, MlirOperation op);
void c_reduce_emit_softmax(c_body *b, MlirOperation op);

#endif
