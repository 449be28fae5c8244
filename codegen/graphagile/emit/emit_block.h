/* Parts of blocks that several kinds of layers have: loads of rows, what sums begin with, what is
 * done to them. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BLOCK_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BLOCK_H

#include "codegen/graphagile/emit/emit_state.h"

/* A load of rows of a tensor into a Feature Buffer, waiting for it. */
void graphagile_emit_load_rows(graphagile_emit *e, int buffer, const graphagile_plan_tensor *t,
                               const graphagile_emit_region *r);
/* Fills rows of a Feature Buffer (GRAPHAGILE_FILL_*), with copies of the first rows of a Weight
 * Buffer where it says `row`. */
void graphagile_emit_fill(graphagile_emit *e, int buffer, int how, int w, bool frees_w,
                          const graphagile_emit_region *r);
/* Rows of a Feature Buffer become copies of a constant row, by way of a Weight Buffer. */
void graphagile_emit_fill_constant(graphagile_emit *e, const graphagile_plan_constant *c, int buffer, int w,
                                   const graphagile_emit_region *r);
/* F2 before an accumulating layer: zero, the bias, the addend or both. */
void graphagile_emit_begin(graphagile_emit *e, const graphagile_emit_region *r);
/* F2 <- F2 + addend, + bias, where F2 did not begin with them. */
void graphagile_emit_add(graphagile_emit *e, const graphagile_emit_region *r);
/* Functions of the layer on a Feature Buffer, then the store of the result, which ends the
 * block. */
void graphagile_emit_end(graphagile_emit *e, int buffer, const graphagile_emit_region *r);

#endif
