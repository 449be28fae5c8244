/* Appends single instructions to a program. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_CODE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_CODE_H

#include "codegen/graphagile/emit/emit_state.h"

/* Makes room for more words. */
void graphagile_emit_grow(graphagile_emit *e);
/* Gives the message for an instruction with a field, by its place in the table, that `value` does
 * not fit. */
void graphagile_emit_misfit(graphagile_emit *e, graphagile_opcode op, int field, uint64_t value);

GRAPHAGILE_INLINE void graphagile_emit_word(graphagile_emit *e, graphagile_word word) {
  if (e->words.count == e->words.capacity) graphagile_emit_grow(e);
  e->words.items[e->words.count++] = word;
}

/* Appends an instruction: EMIT(e, memrd, .buffer = GRAPHAGILE_F0, ...). It is encoded inline,
 * because programs have very many instructions and the compiler can fold the fields that are
 * constant at the place of use. */
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

/* Appends a LOOP and returns its index; graphagile_emit_loop_end, called behind the body, sets its
 * length. */
size_t graphagile_emit_loop(graphagile_emit *e, int64_t count, uint64_t desc_start);
void graphagile_emit_loop_end(graphagile_emit *e, size_t loop);

/* Begins a block: chooses the buffers with which it begins, and sets all members that depend on the
 * block, for `iterations` iterations of its loop. */
void graphagile_emit_turn(graphagile_emit *e, int64_t block, int64_t iterations);

#endif
