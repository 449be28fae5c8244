/* The step of the optimizers in generated C: weights of several chunks, the same bits for any number of threads, and the
 * norm of all gradients together. */
#include "runtime/gnnc/executor.h"
#include "unit.h"

#include <stddef.h>
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wunused-function"
typedef float real;
#include "codegen/c/prelude/optimizer.h"

enum { WEIGHTS = 4 };
static const int64_t counts[WEIGHTS] = {3 * STATE_CHUNK + 17, 1, 5, STATE_CHUNK};

/* Weights with their state: the third one is not trained. */
typedef struct trained {
  state_weight places[WEIGHTS];
  int64_t chunks;
  size_t sums, size;
  char *state;
  float *weights[WEIGHTS];
} trained;

static float *part_of(const trained *t, int weight, int part) {
  return (float *)(void *)(t->state + t->places[weight].part[part]);
}

static void make(trained *t) {
  *t = (trained){.size = sizeof(state_header)};
  for (int i = 0; i < WEIGHTS; i++) t->places[i] = place_weight(&t->size, &t->chunks, counts[i], i != 2, 0);
  t->sums = section(&t->size, t->chunks, sizeof(double));
  t->state = calloc(1, t->size);
  unsigned seed = 1;
  for (int i = 0; i < WEIGHTS; i++) {
    t->weights[i] = calloc((size_t)counts[i], sizeof(float));
    for (int64_t k = 0; k < counts[i]; k++) {
      seed = seed * 1664525u + 1013904223u;
      t->weights[i][k] = (float)((int)(seed >> 8) % 4001) / 1000.0f - 2.0f;
      if (t->places[i].is_trained) part_of(t, i, 0)[k] = t->weights[i][k] / 3;
    }
  }
}

static void drop(trained *t) {
  free(t->state);
  for (int i = 0; i < WEIGHTS; i++) free(t->weights[i]);
}

static void step(trained *t, const gnnc_optimizer *o, const gnnc_context *context, int64_t number) {
  state_change change = {.optimizer = o, .places = t->places, .weights = t->weights, .state = t->state};
  change.sums = (double *)(void *)(t->state + t->sums);
  change_weights(context, &change, WEIGHTS, t->chunks, number);
}

TEST(threads_change_no_bits_of_a_step) {
  static const gnnc_optimizer optimizers[] = {
      {.size = sizeof(gnnc_optimizer), .kind = GNNC_SGD, .rate = 0.1f, .momentum = 0.5f, .clip = 1},
      {.size = sizeof(gnnc_optimizer), .kind = GNNC_SGD, .rate = 0.1f, .decay = 0.5f},
      {.size = sizeof(gnnc_optimizer), .kind = GNNC_ADAM, .rate = 0.1f, .beta1 = 0.9f, .beta2 = 0.99f, .clip = 2},
      {.size = sizeof(gnnc_optimizer), .kind = GNNC_ADAMW, .rate = 0.1f, .decay = 0.5f, .beta1 = 0.9f, .beta2 = 0.99f},
  };
  for (size_t i = 0; i < sizeof optimizers / sizeof *optimizers; i++)
    for (int32_t threads = 2; threads < 5; threads++) {
      trained one, many;
      make(&one);
      make(&many);
      gnnc_pool *pool = gnnc_pool_create(threads);
      const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
      for (int64_t n = 1; n < 4; n++) {
        step(&one, &optimizers[i], NULL, n);
        step(&many, &optimizers[i], &context, n);
      }
      CHECK(!memcmp(one.state, many.state, one.size));
      for (int k = 0; k < WEIGHTS; k++)
        CHECK(!memcmp(one.weights[k], many.weights[k], (size_t)counts[k] * sizeof(float)));
      gnnc_pool_destroy(pool);
      drop(&one);
      drop(&many);
    }
}

TEST(clip_limits_the_norm_of_all_gradients_together) {
  trained t;
  make(&t);
  double squares = 0, moved = 0;
  float *before[WEIGHTS];
  for (int i = 0; i < WEIGHTS; i++) {
    before[i] = calloc((size_t)counts[i], sizeof(float));
    memcpy(before[i], t.weights[i], (size_t)counts[i] * sizeof(float));
    for (int64_t k = 0; k < counts[i] && t.places[i].is_trained; k++)
      squares += (double)part_of(&t, i, 0)[k] * (double)part_of(&t, i, 0)[k];
  }
  CHECK(squares > 4);
  const gnnc_optimizer o = {.size = sizeof o, .kind = GNNC_SGD, .rate = 1, .clip = 2};
  step(&t, &o, NULL, 1);
  for (int i = 0; i < WEIGHTS; i++) {
    for (int64_t k = 0; k < counts[i]; k++) {
      double change = (double)t.weights[i][k] - (double)before[i][k];
      moved += change * change;
      if (i == 2) CHECK(change == 0);
    }
    free(before[i]);
  }
  CHECK_NEAR(sqrt(moved), 2, 1e-4);
  drop(&t);
}

TEST(a_whole_power_is_a_product) {
  CHECK(whole_power(0.5, 10) == ldexp(1, -10));
  CHECK(whole_power(3, 0) == 1);
  CHECK_NEAR(whole_power(0.999, 12345), pow(0.999, 12345), 1e-15);
}
