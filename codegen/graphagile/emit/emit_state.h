/* The state of the emitter while it writes a program: the words so far, the layer, and which
 * buffers the current block uses. A PE has Feature Buffers F0, F1, F2, Edge Buffers E0, E1 and
 * Weight Buffers W0, W1. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_STATE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_STATE_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/graphagile/words.h"

/* The part of the result that a block computes: some fibers of some rows. */
typedef struct graphagile_emit_region {
  int64_t first_fiber, fibers, first_row, rows;
  int64_t stride;              /* rows in the buffer from fiber to fiber; 0: `rows` */
  int64_t type;                /* segment of the rows, which chooses the constants */
  int64_t first_piece, pieces; /* descriptors of the block's LOOP; 0 without */
} graphagile_emit_region;

/* How a copied word changes (emit_memo.h): by how much its address moves when the block's first row
 * or fiber is one farther, in units of the address field; or that it is a LOOP, whose first
 * descriptor moves. */
typedef struct graphagile_emit_move {
  size_t word;
  uint64_t per_row, per_fiber;
  bool is_loop;
} graphagile_emit_move;

/* A block that later blocks of its layer may be copies of. */
typedef struct graphagile_emit_memo {
  graphagile_emit_region region;
  /* buffers that it begins with */
  int first, free_f;
  /* its words and its moves */
  size_t begin, count, first_move, moves;
} graphagile_emit_memo;

/* whole tiles and the last one of a column of tiles, each with either buffer first */
enum { GRAPHAGILE_EMIT_MEMOS = 4 };

typedef struct graphagile_emit {
  graphagile_plan *plan;
  const graphagile_plan_layer *layer;
  VEC(graphagile_word) words; /* allocated by malloc; the host frees it */
  int64_t lanes;              /* device.width */
  uint64_t row;               /* bytes of a row of weights: 4 * lanes */
  uint64_t all;               /* bit mask of all lanes */
  bool alternates;            /* double buffering: buffers alternate in loops */
  bool shares;                /* broadcast is on */
  /* The Edge or Weight Buffer with which each PE's next block begins if blocks are dealt out in
   * turns. The order of roles depends on nothing else. */
  int *parity;
  int first;       /* Edge or Weight Buffer with which this block begins */
  int out;         /* Feature Buffer of the sums: 1 or 2 */
  int free_f;      /* Feature Buffer that the last iteration of the block's loop does not use */
  int num_free;    /* 2: the other one too is free after the loop; 1: it is not */
  bool is_product; /* e->layer is the product of sums: its numbers have not begun with an addend */
  /* PEs whose blocks load the matrix of a product at about the same time, and the number of their wave; at most 1:
   * each loads its own */
  int matrix_share, wave;
  bool goes_on;                                      /* the block has another store after that of these sums */
  int free_w;                                        /* Weight Buffer with which this block does not begin */
  graphagile_emit_memo memos[GRAPHAGILE_EMIT_MEMOS]; /* blocks of the layer that may be copied */
  int next_memo;
  /* addresses are being recorded */
  bool keeps_moves;
  VEC(graphagile_emit_move) moves;
} graphagile_emit;

/* Bytes of a row of a tensor in DDR, and the form of its loads and stores. */
static inline uint64_t graphagile_emit_row(const graphagile_emit *e, const graphagile_plan_tensor *t) {
  return (uint64_t)graphagile_plan_row_bytes(t, e->lanes);
}

static inline uint64_t graphagile_emit_form(const graphagile_plan_tensor *t) {
  if (t->is_compact) return GRAPHAGILE_FORM_value;
  return t->is_half ? GRAPHAGILE_FORM_half : GRAPHAGILE_FORM_record;
}

/* Rows in the buffer from fiber to fiber of a region. */
static inline uint64_t graphagile_emit_stride(const graphagile_emit_region *r) {
  return (uint64_t)(r->stride ? r->stride : r->rows);
}

#endif
