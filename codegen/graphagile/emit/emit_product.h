/* The product of a shard's sums and a matrix, in the block that makes the sums. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_PRODUCT_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_PRODUCT_H

#include "codegen/graphagile/emit/emit_state.h"

/* Emits the product of the finished sums in Feature Buffer e->out, where the layer has one, with all
 * that follows it up to the store. The shards of a block come in the order F2, F1. */
void graphagile_emit_product(graphagile_emit *e, const graphagile_emit_region *r);

#endif
