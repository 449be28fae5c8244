/* Encodes instructions inline, so that the compiler folds the fields that a caller sets to
 * constants. graphagile_encode_fast is the same code behind a call. */
#ifndef GNNC_ISA_GRAPHAGILE_WORDS_H
#define GNNC_ISA_GRAPHAGILE_WORDS_H

#include "isa/graphagile/graphagile.h"

#define GRAPHAGILE_INLINE static inline __attribute__((always_inline))

/* Writes a value, which must fit its width, into the halves of a word. All arguments but `value`
 * are constants. */
GRAPHAGILE_INLINE void graphagile_put(graphagile_word *word, uint64_t value, unsigned low, unsigned width) {
  if (low >= 64) {
    word->high |= value << (low & 63);
  } else {
    word->low |= value << low;
    if (low + width > 64) word->high |= value >> ((64 - low) & 63);
  }
}

/* Whether a stored number does not fit its width or, where a kind has `count` values, is not one of
 * them. */
GRAPHAGILE_INLINE bool graphagile_is_bad(uint64_t stored, unsigned width, uint64_t count) {
  return stored >> width || (count && stored >= count);
}

/* Adds to the stored number of a field; false, with the word unchanged, where the sum does not
 * fit. */
GRAPHAGILE_INLINE bool graphagile_add(graphagile_word *word, uint64_t by, unsigned low, unsigned width) {
  uint64_t mask = (UINT64_C(1) << width) - 1;
  bool is_split = low < 64 && low + width > 64;
  uint64_t old = low >= 64 ? word->high >> (low & 63) : word->low >> low;
  if (is_split) old |= word->high << ((64 - low) & 63);
  uint64_t sum = (old & mask) + by;
  if (sum > mask) return false;
  graphagile_word others = {low >= 64 ? word->low : word->low & ~(mask << low), word->high};
  if (low >= 64) others.high &= ~(mask << (low & 63));
  if (is_split) others.high &= ~(mask >> ((64 - low) & 63));
  graphagile_put(&others, sum, low, width);
  *word = others;
  return true;
}

/* graphagile_encode_memrd(&fields, &word) and so on; false, with the word unchanged, where a field
 * does not fit. */
#define INSN(name, opcode, summary, doc)                                                                               \
  GRAPHAGILE_INLINE bool graphagile_encode_##name(const graphagile_##name *in, graphagile_word *out) {                 \
    graphagile_word word = {GRAPHAGILE_OP_##name, 0};                                                                  \
    bool bad = false;                                                                                                  \
    (void)in;
#define FIELD(of, name, low, width, kind, doc)                                                                         \
  {                                                                                                                    \
    uint64_t stored = in->name - GRAPHAGILE_BIAS_##kind;                                                               \
    bad |= graphagile_is_bad(stored, width, GRAPHAGILE_COUNT_##kind);                                                  \
    graphagile_put(&word, stored, low, width);                                                                         \
  }
#define END(of)                                                                                                        \
  if (bad) return false;                                                                                               \
  *out = word;                                                                                                         \
  return true;                                                                                                         \
  }
#include "isa/graphagile/graphagile.def"

/* The place in the table, and the value, of the field of an instruction that does not fit; -1: all
 * fit. It is a function of its own so that callers need not keep fields in memory for a message. */
#define INSN(name, opcode, summary, doc)                                                                               \
  GRAPHAGILE_INLINE int graphagile_misfit_##name(const graphagile_##name *in, uint64_t *value) {                       \
    int at = 0;                                                                                                        \
    (void)in, (void)value;
#define FIELD(of, name, low, width, kind, doc)                                                                         \
  if (graphagile_is_bad(in->name - GRAPHAGILE_BIAS_##kind, width, GRAPHAGILE_COUNT_##kind)) {                          \
    *value = in->name;                                                                                                 \
    return at;                                                                                                         \
  }                                                                                                                    \
  at++;
#define END(of)                                                                                                        \
  (void)at;                                                                                                            \
  return -1;                                                                                                           \
  }
#include "isa/graphagile/graphagile.def"

GRAPHAGILE_INLINE bool graphagile_encode_inline(const graphagile_insn *in, graphagile_word *out) {
  switch (in->op) {
#define INSN(name, opcode, summary, doc)                                                                               \
  case GRAPHAGILE_OP_##name: return graphagile_encode_##name(&in->name, out);
#include "isa/graphagile/graphagile.def"
  default: return false;
  }
}

#endif
