/* Which products of a loop's body can be instances of the GEMM template. */
#ifndef GNNC_PASSES_INTER_INTER_PRODUCTS_H
#define GNNC_PASSES_INTER_INTER_PRODUCTS_H

#include "dialects/ir.h"

/* A product as the template sees it. */
typedef struct inter_product {
  MlirValue a;        /* whose rows are multiplied; null where they are computed in the body */
  MlirValue w;        /* the matrix, or one for each type */
  const char *gather; /* how a row is found from the loop's cursor: none src dst group_src group_dst */
  bool batch;         /* [H, K] @ [H, K, N] */
} inter_product;

/* True for a product in the body of `loop` itself whose matrix the template takes: the same for all
 * rows, or one for the type of each row. `product->a` is null where its row is not one that lies in
 * memory. */
bool inter_product_find(MlirOperation linear, MlirOperation loop, inter_product *product);

/* True for such a product of stored rows: an instance of the template as it is. */
bool inter_product_is_gemm(MlirOperation linear, MlirOperation loop);

/* How many numbers a product multiplies for one row. */
int64_t inter_product_size(MlirOperation linear);

#endif
