/* Copies of blocks that differ from an earlier one only in addresses. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_MEMO_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_MEMO_H

#include "codegen/graphagile/emit/emit_state.h"

/* Forgets all blocks; to be called at the beginning of a layer. */
void graphagile_emit_memo_reset(graphagile_emit *e);
/* Copies a block of this layer with as many rows, fibers and pieces, the same type and the same
 * first buffers; to be called after graphagile_emit_turn. Returns false where there is no such
 * block or an address would not fit; the caller then emits the block between
 * graphagile_emit_memo_begin and graphagile_emit_memo_end. */
bool graphagile_emit_memo_copy(graphagile_emit *e, const graphagile_emit_region *r);
void graphagile_emit_memo_begin(graphagile_emit *e, const graphagile_emit_region *r);
void graphagile_emit_memo_end(graphagile_emit *e);

/* Records that the address in the last word depends on the region: it moves by so many bytes per
 * row and per fiber. */
static inline void graphagile_emit_moves(graphagile_emit *e, uint64_t per_row, uint64_t per_fiber) {
  if (!e->keeps_moves) return;
  graphagile_emit_move m = {.word = e->words.count - 1, .per_row = per_row / 4, .per_fiber = per_fiber / 4};
  VEC_PUSH(e->plan->arena, &e->moves, m);
}

/* Records that the last word is a LOOP that begins with the region's first piece. */
static inline void graphagile_emit_loop_moves(graphagile_emit *e) {
  if (e->keeps_moves)
    VEC_PUSH(e->plan->arena, &e->moves, (graphagile_emit_move){.word = e->words.count - 1, .is_loop = true});
}

#endif
