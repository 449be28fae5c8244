/* Products of payloads with matrices, one row at a time. */
#ifndef GNNC_CODEGEN_C_OPERATION_LINEAR_H
#define GNNC_CODEGEN_C_OPERATION_LINEAR_H

#include "codegen/c/body/target.h"

/* gnn.linear. */
void c_linear_emit(c_body *b, MlirOperation op);
/* x [rows, K] times w [K, N] (or [N, K]) into target [rows, N]. */
void c_linear_product(c_body *b, const char *x, const char *w, c_target target, int64_t rows, int64_t depth,
                      int64_t width, bool transposed);

#endif
