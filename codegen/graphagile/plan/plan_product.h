/* How blocks multiply their sums (fuse_product.h). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PRODUCT_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PRODUCT_H

#include "codegen/graphagile/plan/plan_layer.h"

/* Whether a product is combined with rows or with constant rows, which need a Feature Buffer. */
bool graphagile_plan_product_has_operands(const graphagile_plan_layer *product);

/* How many rows of sums a block multiplies and stores at a time, in blocks of so many shards of
 * tile.rows rows; 0 where there is no room. The store of some rows overlaps the product of the next
 * ones, which pays where all blocks run at the same time. */
int64_t graphagile_plan_product_rows(const graphagile_device *d, const graphagile_plan_layer *layer,
                                     graphagile_plan_tile tile);

/* Functions of a layer's sums that blocks compute by VADD with zeros, because that takes fewer
 * cycles than POST: relu of sums that are multiplied. */
int graphagile_plan_relus(const graphagile_plan_layer *l);

#endif
