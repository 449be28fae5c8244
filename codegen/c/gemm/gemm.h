/* The GEMM template. */
#ifndef GNNC_CODEGEN_C_GEMM_GEMM_H
#define GNNC_CODEGEN_C_GEMM_GEMM_H

#include "codegen/c/body/body.h"

/* Writes the kernel of an intra.gemm. */
void c_gemm_emit(c_body *b);

#endif
