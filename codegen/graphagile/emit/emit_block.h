/* The parts of blocks that several kinds of layers have: loads of rows, the initial value of sums,
 * epilogues, the store. All of them work on the region `r` of the result. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BLOCK_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BLOCK_H

#include "codegen/graphagile/emit/emit_state.h"

/* Loads rows of a tensor into a Feature Buffer; the load waits until the buffer is EMPTY. */
void graphagile_emit_load_rows(graphagile_emit *e, int buffer, const graphagile_plan_tensor *t,
                               const graphagile_emit_region *r);
/* Fills a Feature Buffer as `how` says (GRAPHAGILE_FILL_*). GRAPHAGILE_FILL_row copies the first
 * rows of Weight Buffer `w`, which is released if frees_w. */
void graphagile_emit_fill(graphagile_emit *e, int buffer, int how, int w, bool frees_w,
                          const graphagile_emit_region *r);
/* Fills a Feature Buffer with copies of a constant row, which is loaded into Weight Buffer `w`. */
void graphagile_emit_fill_constant(graphagile_emit *e, const graphagile_plan_constant *c, int buffer, int w,
                                   const graphagile_emit_region *r);
/* Initialises the sums in Feature Buffer e->out: zero, the bias or the addend; for reductions other
 * than sums, "no value yet". */
void graphagile_emit_begin(graphagile_emit *e, const graphagile_emit_region *r);
/* Adds the addend and the bias to the sums, where these are not their initial value. */
void graphagile_emit_add(graphagile_emit *e, const graphagile_emit_region *r);
/* Applies the layer's functions and epilogues to a Feature Buffer. */
void graphagile_emit_apply(graphagile_emit *e, int buffer, const graphagile_emit_region *r);
/* Applies the layer's functions and epilogues to a Feature Buffer and stores the result, which ends
 * the block unless e->goes_on. */
void graphagile_emit_end(graphagile_emit *e, int buffer, const graphagile_emit_region *r);

#endif
