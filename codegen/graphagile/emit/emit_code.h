/* Single instructions at the end of a program. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_CODE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_CODE_H

#include "codegen/graphagile/emit/emit_state.h"

/* Room for more words. */
void graphagile_emit_grow(graphagile_emit *e);
/* The message for an instruction of which a field, by its place in the table, does not fit. */
void graphagile_emit_misfit(graphagile_emit *e, graphagile_opcode op, int field, uint64_t value);

GRAPHAGILE_INLINE void graphagile_emit_word(graphagile_emit *e, graphagile_word word) {
  if (e->words.count == e->words.capacity) graphagile_emit_grow(e);
  e->words.items[e->words.count++] = word;
}

/* Appends an instruction: EMIT(e, memrd, .buffer = GRAPHAGILE_F0, ...). Programs have many, and
 * those of a layer most fields in common: the word is made where the fields are known. */
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

#endif
