/* Random numbers of a counter: Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3). The words are
 * a function of key and counter alone, so that whoever draws them, and in whichever order, gets the same. Generated C has
 * a text of its own with the same words, `random_words` of codegen/c/prelude/random.h. */
#ifndef GNNC_SUPPORT_PHILOX_H
#define GNNC_SUPPORT_PHILOX_H

#include <stdint.h>

/* A counter, and the random words that it becomes. */
typedef struct philox_words {
  uint32_t word[4];
} philox_words;

static inline philox_words philox_draw(uint64_t key, philox_words counter) {
  uint32_t key_0 = (uint32_t)key, key_1 = (uint32_t)(key >> 32), *w = counter.word;
  for (int round = 0; round < 10; round++) {
    const uint64_t p = (uint64_t)w[0] * 0xD2511F53u, q = (uint64_t)w[2] * 0xCD9E8D57u;
    const uint32_t first = (uint32_t)(q >> 32) ^ w[1] ^ key_0, third = (uint32_t)(p >> 32) ^ w[3] ^ key_1;
    w[0] = first;
    w[1] = (uint32_t)q;
    w[2] = third;
    w[3] = (uint32_t)p;
    key_0 += 0x9E3779B9u;
    key_1 += 0xBB67AE85u;
  }
  return counter;
}

/* A number from 0 to count - 1. The chances of two numbers differ by count / 2^32 of them at most. */
static inline int64_t philox_below(uint32_t word, int64_t count) {
  return (int64_t)(((uint64_t)word * (uint64_t)count) >> 32);
}

#endif
