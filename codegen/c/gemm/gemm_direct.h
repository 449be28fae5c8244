/* Products that are stored as they are. */
#ifndef GNNC_CODEGEN_C_GEMM_GEMM_DIRECT_H
#define GNNC_CODEGEN_C_GEMM_GEMM_DIRECT_H

#include "codegen/c/gemm/product.h"

/* The buffer in which a product may be written in place, NULL if none; *is_all: nothing else is to
 * be done. */
const c_parameter *c_gemm_direct_find(c_body *b, const c_product *p, bool *is_all);

#endif
