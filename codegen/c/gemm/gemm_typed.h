/* Products with gathered rows, with a matrix per type, or with a matrix per leading position. */
#ifndef GNNC_CODEGEN_C_GEMM_GEMM_TYPED_H
#define GNNC_CODEGEN_C_GEMM_GEMM_TYPED_H

#include "codegen/c/body/body.h"

/* Whether the intra.gemm `op` is such a product. */
bool c_gemm_typed_takes(c_body *b, MlirOperation op);
void c_gemm_typed_emit(c_body *b);

#endif
