/* Random numbers of a counter: the same for any number of threads. See real.h for how parts are used; `real` comes from
 * there. */
#include "codegen/c/prelude/block.h"
#include "runtime/gnnc/abi.h"

#include <math.h>

//@ random_round
/* A round of Philox4x32 on a counter of four words. */
static inline void random_round(uint32_t c[4], uint32_t key_0, uint32_t key_1) {
  const uint64_t p = (uint64_t)c[0] * 0xD2511F53u, q = (uint64_t)c[2] * 0xCD9E8D57u;
  c[0] = (uint32_t)(q >> 32) ^ c[1] ^ key_0;
  c[1] = (uint32_t)q;
  c[2] = (uint32_t)(p >> 32) ^ c[3] ^ key_1;
  c[3] = (uint32_t)p;
}

//@ random_words
/* Replaces a counter by four random words: Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3). */
static inline void random_words(uint64_t key, uint32_t c[4]) {
  const uint32_t key_0 = (uint32_t)key, key_1 = (uint32_t)(key >> 32);
  random_round(c, key_0, key_1);
  random_round(c, key_0 + 0x9E3779B9u, key_1 + 0xBB67AE85u);
  random_round(c, key_0 + 2 * 0x9E3779B9u, key_1 + 2 * 0xBB67AE85u);
  random_round(c, key_0 + 3 * 0x9E3779B9u, key_1 + 3 * 0xBB67AE85u);
  random_round(c, key_0 + 4 * 0x9E3779B9u, key_1 + 4 * 0xBB67AE85u);
  random_round(c, key_0 + 5 * 0x9E3779B9u, key_1 + 5 * 0xBB67AE85u);
  random_round(c, key_0 + 6 * 0x9E3779B9u, key_1 + 6 * 0xBB67AE85u);
  random_round(c, key_0 + 7 * 0x9E3779B9u, key_1 + 7 * 0xBB67AE85u);
  random_round(c, key_0 + 8 * 0x9E3779B9u, key_1 + 8 * 0xBB67AE85u);
  random_round(c, key_0 + 9 * 0x9E3779B9u, key_1 + 9 * 0xBB67AE85u);
}

//@ fill_constant
static void fill_constant(int64_t count, float value, float *to) {
  for (int64_t i = 0; i < count; i++) to[i] = value;
}

//@ fill_uniform
/* Numbers between -limit and limit. */
static void fill_uniform(uint64_t seed, uint32_t site, int64_t count, double limit, float *to) {
  for (int64_t i = 0; i < count; i += 4) {
    uint32_t c[4] = {(uint32_t)(i / 4), (uint32_t)(i / 4 >> 32), 0, site};
    random_words(seed, c);
    for (int64_t k = i; k < i + 4 && k < count; k++)
      to[k] = (float)(limit * (((double)c[k - i] + 0.5) / 2147483648.0 - 1));
  }
}

//@ fill_normal
/* Numbers of a normal distribution around 0, by the rule of Box and Muller. */
static void fill_normal(uint64_t seed, uint32_t site, int64_t count, double deviation, float *to) {
  for (int64_t i = 0; i < count; i += 4) {
    uint32_t c[4] = {(uint32_t)(i / 4), (uint32_t)(i / 4 >> 32), 0, site};
    random_words(seed, c);
    for (int64_t k = i; k < i + 4 && k < count; k++) {
      const int64_t pair = (k - i) / 2 * 2;
      const double radius = sqrt(-2 * log(((double)c[pair] + 0.5) / 4294967296.0));
      const double angle = 6.28318530717958647692 * ((double)c[pair + 1] / 4294967296.0);
      to[k] = (float)(deviation * radius * ((k - i) % 2 ? sin(angle) : cos(angle)));
    }
  }
}

//@ context_step
/* The step of a run; a caller of an earlier version has no such member. */
static gnnc_step context_step(const gnnc_context *context) {
  const gnnc_step none = {0, 0};
  const int has_step = context && context->size >= offsetof(gnnc_context, step) + sizeof context->step;
  return has_step && context->step ? *context->step : none;
}

//@ keep_row
/* The factors of dropout for a row of `count` numbers: scale where the random number is at least `limit`, else 0. There is room for a
 * multiple of four. */
static inline void keep_row(const gnnc_step *step, uint32_t site, int64_t row, int64_t count, uint32_t limit,
                            real scale, real *restrict keep) {
  FEATURE_LOOP
  for (int64_t i = 0; i < (count + 3) / 4; i++) {
    uint32_t c[4] = {(uint32_t)row, (uint32_t)i, (uint32_t)step->number, site};
    random_words(step->seed, c);
    keep[4 * i] = c[0] >= limit ? scale : 0;
    keep[4 * i + 1] = c[1] >= limit ? scale : 0;
    keep[4 * i + 2] = c[2] >= limit ? scale : 0;
    keep[4 * i + 3] = c[3] >= limit ? scale : 0;
  }
}
