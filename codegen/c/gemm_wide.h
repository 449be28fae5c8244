/* Products with rows too wide for a block of them on the stack. */
#ifndef GNNC_CODEGEN_C_GEMM_WIDE_H
#define GNNC_CODEGEN_C_GEMM_WIDE_H

#include "codegen/c/kernel.h"

/* Such a product, as its kernel is written. */
typedef struct c_wide {
  MlirOperation op;
  c_value *at;                   /* the cursor */
  const char *from, *to, *order; /* its rows; the array that lists them, NULL where they are the rows themselves */
  const c_buffer *a, *b;         /* the factors */
  const char *matrix;            /* B, packed unless is_plain */
  int64_t heads, depth, width;   /* heads: leading positions of A */
  bool is_plain, is_batch, is_transposed; /* B as it lies, by plain loops; a matrix for each leading position */
  const char *(*row)(c_body *b, const void *product, const char *n); /* the row of A at a row of the kernel */
  const void *product;
} c_wide;

/* True for rows of so many numbers, padding included. */
bool c_gemm_is_wide(int64_t reach);
void c_gemm_wide_emit(c_body *b, const c_wide *p);

#endif
