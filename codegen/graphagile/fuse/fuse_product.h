/* Multiplies the sums of an Aggregate by the matrix of the Linear that alone reads them, in the
 * blocks that make the sums.
 *
 *   y = spdmm edges, h; z = gemm y, w      ->      z = spdmm edges, h, then * w
 *
 * A block has all fibers of its rows' sums in a Feature Buffer; their product goes to another one,
 * and only the product is stored. Sums are neither written to nor read from DDR. In exchange blocks
 * have fewer rows than they could have for a part of the fibers, and the memory waits while all PEs
 * multiply. The cost model decides (tile_work.h). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_PRODUCT_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_PRODUCT_H

#include "codegen/graphagile/plan/plan.h"

/* Two layers of the plan, by their indices, and what both become. */
typedef struct graphagile_fuse_product {
  size_t sum, linear;
  graphagile_plan_layer both;
} graphagile_fuse_product;

typedef VEC(graphagile_fuse_product) graphagile_fuse_products;

/* Finds all Aggregates whose sums one Linear alone reads; none where options->product is off. Does
 * not change the plan. The result is in the plan's arena. */
graphagile_fuse_products graphagile_fuse_find_products(graphagile_plan *p);

/* Changes the plan so that those products that are chosen are made with their sums. */
void graphagile_fuse_apply_products(graphagile_plan *p, const graphagile_fuse_products *products,
                                    const bool *is_chosen);

#endif
