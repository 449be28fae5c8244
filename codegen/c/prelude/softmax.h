/* The parts of a softmax over chunks of edges. See real.h for how parts are used. */
#include "codegen/c/prelude/block.h"
#include "codegen/c/prelude/real.h"

//@ softmax_level
/* What is subtracted from logits of which the largest is `best`; without any weight yet all of them become 0. */
static inline real softmax_level(real best) {
  return best == -INFINITY ? 0 : best;
}

//@ softmax_scale
/* The factor of weights that were relative to `top` and shall be to `best`. */
static inline real softmax_scale(real top, real best) {
  return real_exp(top - softmax_level(best));
}

//@ softmax_weights
/* Logits of `count` edges, `heads` each, become weights relative to the largest of each head; sums of weights are added to. The array
 * has room up to a multiple of 16. */
static inline void softmax_weights(int64_t count, int64_t heads, const real *restrict best, real *restrict weight,
                                   real *restrict sum) {
  for (int64_t i = 0; i < count; i++)
    for (int64_t h = 0; h < heads; h++) weight[i * heads + h] -= softmax_level(best[h]);
  for (int64_t i = count * heads; i % 16; i++) weight[i] = 0;
  for (int64_t begin = 0; begin < count * heads; begin += 16) {
    FEATURE_LOOP
    for (int64_t i = begin; i < begin + 16; i++) weight[i] = real_exp(weight[i]);
  }
  for (int64_t i = 0; i < count; i++)
    for (int64_t h = 0; h < heads; h++) sum[h] += weight[i * heads + h];
}
