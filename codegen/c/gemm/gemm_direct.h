/* Products that are stored as they are, without an epilogue in between. */
#ifndef GNNC_CODEGEN_C_GEMM_GEMM_DIRECT_H
#define GNNC_CODEGEN_C_GEMM_GEMM_DIRECT_H

#include "codegen/c/gemm/product.h"

/* The buffer into which a product may be written directly; NULL if there is none. *is_all: the
 * epilogue has nothing else to do. */
const c_parameter *c_gemm_direct_find(c_body *b, const c_product *p, bool *is_all);

#endif
