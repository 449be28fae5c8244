/* Random numbers of a counter: the same for any number of threads. See real.h for how parts are used; `real` comes from
 * there. */
#include "codegen/c/prelude/block.h"
#include "runtime/gnnc/abi.h"

#include <math.h>

//@ random_block
/* Four words: a counter, and the random words that it becomes. No array, so that loops over blocks vectorise. */
typedef struct random_block {
  uint32_t a, b, c, d;
} random_block;

//@ random_round
static inline random_block random_round(random_block w, uint32_t key_0, uint32_t key_1) {
  const uint64_t p = (uint64_t)w.a * 0xD2511F53u, q = (uint64_t)w.c * 0xCD9E8D57u;
  const random_block made = {(uint32_t)(q >> 32) ^ w.b ^ key_0, (uint32_t)q, (uint32_t)(p >> 32) ^ w.d ^ key_1,
                             (uint32_t)p};
  return made;
}

//@ random_words
/* Random words for a counter: Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3). */
static inline random_block random_words(uint64_t key, random_block w) {
  const uint32_t key_0 = (uint32_t)key, key_1 = (uint32_t)(key >> 32);
  w = random_round(w, key_0, key_1);
  w = random_round(w, key_0 + 0x9E3779B9u, key_1 + 0xBB67AE85u);
  w = random_round(w, key_0 + 2 * 0x9E3779B9u, key_1 + 2 * 0xBB67AE85u);
  w = random_round(w, key_0 + 3 * 0x9E3779B9u, key_1 + 3 * 0xBB67AE85u);
  w = random_round(w, key_0 + 4 * 0x9E3779B9u, key_1 + 4 * 0xBB67AE85u);
  w = random_round(w, key_0 + 5 * 0x9E3779B9u, key_1 + 5 * 0xBB67AE85u);
  w = random_round(w, key_0 + 6 * 0x9E3779B9u, key_1 + 6 * 0xBB67AE85u);
  w = random_round(w, key_0 + 7 * 0x9E3779B9u, key_1 + 7 * 0xBB67AE85u);
  w = random_round(w, key_0 + 8 * 0x9E3779B9u, key_1 + 8 * 0xBB67AE85u);
  w = random_round(w, key_0 + 9 * 0x9E3779B9u, key_1 + 9 * 0xBB67AE85u);
  return w;
}

//@ fill_constant
static void fill_constant(int64_t count, float value, float *to) {
  for (int64_t i = 0; i < count; i++) to[i] = value;
}

//@ random_four
/* The random words of numbers 4 i to 4 i + 3 of a site, before the first step. */
static inline void random_four(uint64_t seed, uint32_t site, int64_t i, double to[4]) {
  const random_block counter = {(uint32_t)i, (uint32_t)(i >> 32), 0, site}, w = random_words(seed, counter);
  to[0] = (double)w.a;
  to[1] = (double)w.b;
  to[2] = (double)w.c;
  to[3] = (double)w.d;
}

//@ fill_uniform
/* Numbers between -limit and limit. */
static void fill_uniform(uint64_t seed, uint32_t site, int64_t count, double limit, float *to) {
  for (int64_t i = 0; i < count; i += 4) {
    double w[4];
    random_four(seed, site, i / 4, w);
    for (int64_t k = i; k < i + 4 && k < count; k++) to[k] = (float)(limit * ((w[k - i] + 0.5) / 2147483648.0 - 1));
  }
}

//@ fill_normal
/* Numbers of a normal distribution around 0, by the rule of Box and Muller. */
static void fill_normal(uint64_t seed, uint32_t site, int64_t count, double deviation, float *to) {
  for (int64_t i = 0; i < count; i += 4) {
    double w[4];
    random_four(seed, site, i / 4, w);
    for (int64_t k = i; k < i + 4 && k < count; k++) {
      const int64_t pair = (k - i) / 2 * 2;
      const double radius = sqrt(-2 * log((w[pair] + 0.5) / 4294967296.0));
      const double angle = 6.28318530717958647692 * (w[pair + 1] / 4294967296.0);
      to[k] = (float)(deviation * radius * ((k - i) % 2 ? sin(angle) : cos(angle)));
    }
  }
}

//@ random_step
/* The step of a run, and the numbers of rows in the graph of which the bound one is a part. */
typedef struct random_step {
  uint64_t seed;
  int64_t number;
  gnnc_part part; /* NULLs: the graph is whole */
} random_step;

//@ context_step
/* A caller of an earlier version has no such members. */
static random_step context_step(const gnnc_context *context) {
  random_step step = {0, 0, {NULL, NULL, 0}};
  const size_t size = context ? context->size : 0;
  if (size >= offsetof(gnnc_context, step) + sizeof context->step && context->step) {
    step.seed = context->step->seed;
    step.number = context->step->number;
  }
  if (size >= offsetof(gnnc_context, part) + sizeof context->part && context->part) step.part = *context->part;
  return step;
}

//@ node_number
static inline int64_t node_number(const random_step *step, int64_t node) {
  return step->part.nodes ? step->part.nodes[node] : node;
}

//@ edge_number
static inline int64_t edge_number(const random_step *step, int64_t edge) {
  return step->part.edges ? step->part.edges[edge] : edge;
}

//@ loop_number
/* The number of a node's new self loop in a graph of `num_edges` edges. */
static inline int64_t loop_number(const random_step *step, int64_t num_edges, int64_t node) {
  return (step->part.edges ? step->part.num_edges : num_edges) + node_number(step, node);
}

//@ keep_row
/* The factors of dropout for a row of `count` numbers: scale where the random number is at least `limit`, else 0. There is room for a
 * multiple of four. */
static inline void keep_row(const random_step *step, uint32_t site, int64_t row, int64_t count, uint32_t limit,
                            real scale, real *restrict keep) {
  const uint64_t seed = step->seed;
  const uint32_t number = (uint32_t)step->number;
  FEATURE_LOOP
  for (int64_t i = 0; i < (count + 3) / 4; i++) {
    const random_block counter = {(uint32_t)row, (uint32_t)i, number, site}, w = random_words(seed, counter);
    keep[4 * i] = w.a >= limit ? scale : 0;
    keep[4 * i + 1] = w.b >= limit ? scale : 0;
    keep[4 * i + 2] = w.c >= limit ? scale : 0;
    keep[4 * i + 3] = w.d >= limit ? scale : 0;
  }
}

//@ keep_entry
/* The factor of one number of a row. */
static inline real keep_entry(const random_step *step, uint32_t site, int64_t row, int64_t column, uint32_t limit,
                              real scale) {
  const random_block counter = {(uint32_t)row, (uint32_t)(column / 4), (uint32_t)step->number, site};
  const random_block w = random_words(step->seed, counter);
  const uint32_t word = column % 4 == 0 ? w.a : column % 4 == 1 ? w.b : column % 4 == 2 ? w.c : w.d;
  return word >= limit ? scale : 0;
}
