/* Finds the products in a loop's body that can be instances of the GEMM template. */
#ifndef GNNC_PASSES_INTER_INTER_PRODUCTS_H
#define GNNC_PASSES_INTER_INTER_PRODUCTS_H

#include "dialects/ir.h"

/* A product as an instance of the template. */
typedef struct inter_product {
  MlirValue a;        /* the value whose rows are multiplied; null where they are computed in the body */
  MlirValue w;        /* the matrix, or a value with one for each type */
  const char *gather; /* the step from the loop's cursor to the row: none, src, dst, group_src or group_dst */
  bool batch;         /* a batch: [H, K] @ [H, K, N] */
} inter_product;

/* Whether `linear` is a product in the body of `loop` itself whose matrix is the same for all rows,
 * or one for the type of each row. `product->a` is null where the row is not stored in memory. */
bool inter_product_find(MlirOperation linear, MlirOperation loop, inter_product *product);

/* Whether it is such a product of stored rows: it can become an instance without changes. */
bool inter_product_is_gemm(MlirOperation linear, MlirOperation loop);

/* The step that leads from a loop's cursor `own` to this one: none, src, dst, group_src or group_dst; NULL when there
 * is more than one. */
const char *inter_product_step(MlirValue cursor, MlirValue own);

/* Whether a product is worth a kernel of its own. */
bool inter_product_is_large(MlirOperation linear);

#endif
