/* The description of a GEMM instance with which its kernel is written: rows of A times B, then an
 * epilogue for each row. */
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
  const char *gather; /* the end of an edge, or its pair, at which rows of A are read; "none" */
  const char *wide;   /* the array to which rows of A of bf16 are widened; NULL: A is not bf16 */
  const char *matrix; /* text of B, packed unless is_plain */
  bool is_plain;      /* plain loops, without packing: A is float but real is double, or B is memory of the caller; a
                       * weight of training is packed where real is float */
  bool is_batch;      /* each leading position of A has a matrix of its own */
  bool is_transposed;
  int64_t heads; /* leading positions of A: they are further rows, or a batch */
  /* rows of B; columns; columns with padding */
  int64_t depth, width, padded;
  int64_t reach; /* elements that gemm_rows writes for one row: padding follows the last */
} c_product;

/* The rows from .. to - 1 of a kernel that are multiplied by one matrix. */
typedef struct c_stretch {
  const c_product *product;
  const char *from, *to;
  const char *order;  /* the array that lists the rows; NULL: they are the rows themselves */
  const char *matrix; /* B, or the part of it for these rows */
} c_stretch;

/* Describes the product of the kernel that is being written, and defines the text of its cursor and
 * of B. */
c_product c_product_describe(c_body *b);
/* The row of A that a row of the kernel reads, as text. */
const char *c_product_row(c_body *b, const c_product *p, const char *row);

/* Rows of a block for which the arrays of the block fit the stack. */
int64_t c_product_fit(const c_product *p);
/* Declares the array `rows` of pointers to the rows of A of a block of `size` rows. */
void c_product_declare_rows(c_body *b, const c_product *p, const char *rows, int64_t size);
/* Writes the loop over r that fills it: rows[r - first] = row, for r in first .. last - 1. Rows of bf16 are widened. */
void c_product_emit_rows(c_body *b, const c_product *p, const char *rows, const char *r, const char *first,
                         const char *last, const char *row);
/* Declares a pointer `x` to one row of A with `elements` numbers, which is widened where it is bf16. */
void c_product_declare_row(c_body *b, const c_product *p, const char *x, const char *row, int64_t elements);

#endif
