/* Instructions of a program, in the order of isa/graphagile/graphagile.def: one growing array of words, filled layer by layer. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/graphagile/words.h"

/* A block's rectangle of the result: fibers first_fiber .., rows first_row .. */
typedef struct graphagile_emit_region {
  int64_t first_fiber, fibers, first_row, rows;
  int64_t stride;              /* rows from fiber to fiber in a buffer; 0: rows */
  int64_t type;                /* segment of the rows */
  int64_t first_piece, pieces; /* of the block's LOOP over descriptors; 0 without */
} graphagile_emit_region;

/* How far the address of a word moves when the block's first row or fiber is one farther, in units of the field; or the first descriptor of a LOOP. */
typedef struct graphagile_emit_move {
  size_t word;
  uint64_t per_row, per_fiber;
  bool is_loop;
} graphagile_emit_move;

/* A block that others of its layer may be copies of. */
typedef struct graphagile_emit_copy {
  graphagile_emit_region region;
  int first, free_f;
  size_t begin, count, first_move, moves;
} graphagile_emit_copy;

enum { GRAPHAGILE_EMIT_COPIES = 4 }; /* whole tiles and the last of a column of them, with either buffer first */

enum { GRAPHAGILE_EMIT_MOST_SHARE = 15 }; /* PEs that a MEMRD may say share it */

typedef struct graphagile_emit {
  graphagile_plan *plan;
  const graphagile_plan_layer *layer;
  VEC(graphagile_word) words; /* of malloc */
  int64_t lanes;              /* device.width */
  uint64_t row;               /* bytes of a row: 4 * lanes */
  uint64_t all;               /* mask of all lanes */
  bool alternates;            /* buffers alternate in loops */
  bool shares;                /* broadcast */
  int *
      parity; /* Edge or Weight Buffer that each PE's next block begins with, were blocks dealt out in turns: they change their roles in no other way */
  int first;  /* that buffer, of the block being emitted */
  int out;    /* Feature Buffer of the sums */
  int free_f; /* Feature Buffer that the block's loop is not at at its end */
  int num_free;                                        /* 2: the other one, too, when the loop is over */
  bool goes_on;                                        /* the store of the sums does not end the block */
  int free_w;                                          /* Weight Buffer that the block does not begin with */
  graphagile_emit_copy copies[GRAPHAGILE_EMIT_COPIES]; /* of the layer */
  int next_copy;
  bool keeps_moves;
  VEC(graphagile_emit_move) moves;
} graphagile_emit;

static inline uint64_t graphagile_emit_stride(const graphagile_emit_region *r) {
  return (uint64_t)(r->stride ? r->stride : r->rows);
}

/* Emits all layers with their CSIs and HALT; fills text, text_bytes and blocks of the layers. False after a message. */
bool graphagile_emit_program(graphagile_emit *e);

/* ---- one instruction each (emit_code.c) ---- */
/* Room for more words. */
void graphagile_emit_grow(graphagile_emit *e);
/* The message for an instruction of which a field, by its place in the table, does not fit. */
void graphagile_emit_misfit(graphagile_emit *e, graphagile_opcode op, int field, uint64_t value);

GRAPHAGILE_INLINE void graphagile_emit_word(graphagile_emit *e, graphagile_word word) {
  if (e->words.count == e->words.capacity) graphagile_emit_grow(e);
  e->words.items[e->words.count++] = word;
}

/* Appends an instruction: EMIT(e, memrd, .buffer = GRAPHAGILE_F0, ...). Programs have many, and those
 * of a layer most fields in common: the word is made where the fields are known. */
#define EMIT(e, name, ...) graphagile_emit_insn_##name((e), &(const graphagile_##name){__VA_ARGS__})

#define INSN(name, opcode, summary, doc)                                                                               \
  GRAPHAGILE_INLINE void graphagile_emit_insn_##name(graphagile_emit *e, const graphagile_##name *in) {                \
    graphagile_word word = {0};                                                                                        \
    uint64_t value = 0;                                                                                                \
    if (!graphagile_encode_##name(in, &word)) {                                                                        \
      int field = graphagile_misfit_##name(in, &value);                                                                \
      graphagile_emit_misfit(e, GRAPHAGILE_OP_##name, field, value);                                                   \
    }                                                                                                                  \
    graphagile_emit_word(e, word);                                                                                     \
  }
#include "isa/graphagile/graphagile.def"

/* A LOOP whose body follows; graphagile_emit_loop_end sets its length. */
size_t graphagile_emit_loop(graphagile_emit *e, int64_t count, uint64_t desc_start);
void graphagile_emit_loop_end(graphagile_emit *e, size_t loop);

/* Sets `first` and what follows from it, for a block of so many iterations. */
void graphagile_emit_turn(graphagile_emit *e, int64_t block, int64_t iterations);

/* ---- blocks that are like others (emit_copy.c) ---- */
/* Forgets the blocks of another layer. */
void graphagile_emit_copy_reset(graphagile_emit *e);
/* After graphagile_emit_turn: copies a block of this layer with as many rows, fibers and pieces, of the same type, that begins with the same buffers. False: there is none, or an
 * address would not fit; the block is to be emitted between graphagile_emit_copy_begin and graphagile_emit_copy_end. */
bool graphagile_emit_copy_block(graphagile_emit *e, const graphagile_emit_region *r);
void graphagile_emit_copy_begin(graphagile_emit *e, const graphagile_emit_region *r);
void graphagile_emit_copy_end(graphagile_emit *e);

/* The address of the last word follows the region: bytes per row and per fiber. */
static inline void graphagile_emit_moves(graphagile_emit *e, uint64_t per_row, uint64_t per_fiber) {
  if (!e->keeps_moves) return;
  graphagile_emit_move m = {.word = e->words.count - 1, .per_row = per_row / 4, .per_fiber = per_fiber / 4};
  VEC_PUSH(e->plan->arena, &e->moves, m);
}

/* The LOOP that is the last word begins with the region's first piece. */
static inline void graphagile_emit_loop_moves(graphagile_emit *e) {
  if (e->keeps_moves)
    VEC_PUSH(e->plan->arena, &e->moves, (graphagile_emit_move){.word = e->words.count - 1, .is_loop = true});
}

/* ---- parts of blocks (emit_block.c) ---- */
/* A load of rows of a tensor into a Feature Buffer, waiting for it. */
void graphagile_emit_load_rows(graphagile_emit *e, int buffer, const graphagile_plan_tensor *t,
                               const graphagile_emit_region *r);
/* Fills rows of a Feature Buffer (GRAPHAGILE_FILL_*), with copies of the first rows of a Weight Buffer where it says `row`. */
void graphagile_emit_fill(graphagile_emit *e, int buffer, int how, int w, bool frees_w,
                          const graphagile_emit_region *r);
/* Rows of a Feature Buffer become copies of a constant row, by way of a Weight Buffer. */
void graphagile_emit_fill_constant(graphagile_emit *e, const graphagile_plan_constant *c, int buffer, int w,
                                   const graphagile_emit_region *r);
/* F2 before an accumulating layer: zero, the bias, the addend or both. */
void graphagile_emit_begin(graphagile_emit *e, const graphagile_emit_region *r);
/* F2 <- F2 + addend, + bias, where F2 did not begin with them. */
void graphagile_emit_add(graphagile_emit *e, const graphagile_emit_region *r);
/* Functions of the layer on a Feature Buffer, then the store of the result, which ends the block. */
void graphagile_emit_end(graphagile_emit *e, int buffer, const graphagile_emit_region *r);

/* ---- all blocks of a layer; return how many ---- */
int64_t graphagile_emit_gemm(graphagile_emit *e);
int64_t graphagile_emit_spdmm(graphagile_emit *e);
int64_t graphagile_emit_sddmm(graphagile_emit *e);
int64_t graphagile_emit_vadd(graphagile_emit *e);
int64_t graphagile_emit_map(graphagile_emit *e);
int64_t graphagile_emit_values(graphagile_emit *e);

#endif
