/* A product as its kernel is written: rows of A times B, then the epilogue for each row. */
#ifndef GNNC_CODEGEN_C_GEMM_PRODUCT_H
#define GNNC_CODEGEN_C_GEMM_PRODUCT_H

#include "codegen/c/body/body.h"

typedef struct c_product {
  MlirOperation op;
  MlirBlock block;         /* the epilogue */
  MlirValue cursor, value; /* its arguments */
  c_value *at;             /* the cursor */
  const c_parameter *a;
  const c_buffer *b;
  const char *gather; /* which end of an edge, or pair of it, rows of A are read at; "none" */
  const char *matrix; /* B, packed unless is_plain */
  bool is_plain;      /* by plain loops, B as it lies: A is float but real is double, or B is not ours to pack */
  bool is_batch;      /* a matrix for each leading position of A */
  bool is_transposed;
  int64_t heads; /* leading positions of A: more rows, or a batch */
  int64_t depth, width, padded;
  int64_t reach; /* numbers that the products of one row take: padding is written behind the last */
} c_product;

/* The rows from .. to - 1 of a kernel that one matrix multiplies. */
typedef struct c_stretch {
  const c_product *product;
  const char *from, *to;
  const char *order;  /* the array that lists the rows, NULL where they are the rows themselves */
  const char *matrix; /* B, or the part of it that belongs to these rows */
} c_stretch;

/* Describes the product of the kernel being written, and declares what stands for its cursor and
 * B. */
c_product c_product_describe(c_body *b);
/* The row of A that a row of the kernel (text) reads. */
const char *c_product_row(c_body *b, const c_product *p, const char *row);

#endif
