/* Products with rows too wide for a block of them on the stack. */
#ifndef GNNC_CODEGEN_C_GEMM_GEMM_WIDE_H
#define GNNC_CODEGEN_C_GEMM_GEMM_WIDE_H

#include "codegen/c/gemm/product.h"

/* Whether the product of one row has too many elements for the stack. */
bool c_gemm_wide_is_needed(const c_product *p);
void c_gemm_wide_emit(c_body *b, const c_stretch *rows);

#endif
