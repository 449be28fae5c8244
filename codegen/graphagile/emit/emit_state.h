/* What the emitter knows while it writes a program: words so far, the layer, and which buffers the
 * block at hand has. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_STATE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_STATE_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/graphagile/words.h"

/* A block's rectangle of the result: fibers first_fiber .., rows first_row .. */
typedef struct graphagile_emit_region {
  int64_t first_fiber, fibers, first_row, rows;
  int64_t stride;              /* rows from fiber to fiber in a buffer; 0: rows */
  int64_t type;                /* segment of the rows */
  int64_t first_piece, pieces; /* of the block's LOOP over descriptors; 0 without */
} graphagile_emit_region;

/* How far the address of a word moves when the block's first row or fiber is one farther, in units
 * of the field; or the first descriptor of a LOOP. */
typedef struct graphagile_emit_move {
  size_t word;
  uint64_t per_row, per_fiber;
  bool is_loop;
} graphagile_emit_move;

/* A block that others of its layer may be copies of. */
typedef struct graphagile_emit_memo {
  graphagile_emit_region region;
  int first, free_f;
  size_t begin, count, first_move, moves;
} graphagile_emit_memo;

enum { GRAPHAGILE_EMIT_MEMOS = 4 }; /* whole tiles and the last of a column of them, with either buffer first */

typedef struct graphagile_emit {
  graphagile_plan *plan;
  const graphagile_plan_layer *layer;
  VEC(graphagile_word) words; /* of malloc */
  int64_t lanes;              /* device.width */
  uint64_t row;               /* bytes of a row: 4 * lanes */
  uint64_t all;               /* mask of all lanes */
  bool alternates;            /* buffers alternate in loops */
  bool shares;                /* broadcast */
  /* Edge or Weight Buffer that each PE's next block begins with, were blocks dealt out in turns:
   * they change their roles in no other way. */
  int *parity;
  int first;                                         /* that buffer, of the block being emitted */
  int out;                                           /* Feature Buffer of the sums */
  int free_f;                                        /* Feature Buffer that the block's loop is not at at its end */
  int num_free;                                      /* 2: the other one, too, when the loop is over */
  bool goes_on;                                      /* the store of the sums does not end the block */
  int free_w;                                        /* Weight Buffer that the block does not begin with */
  graphagile_emit_memo memos[GRAPHAGILE_EMIT_MEMOS]; /* of the layer */
  int next_memo;
  bool keeps_moves;
  VEC(graphagile_emit_move) moves;
} graphagile_emit;

static inline uint64_t graphagile_emit_stride(const graphagile_emit_region *r) {
  return (uint64_t)(r->stride ? r->stride : r->rows);
}

#endif
