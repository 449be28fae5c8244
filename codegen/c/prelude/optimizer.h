/* The state of training, and the rules by which a step changes weights. See real.h for how parts are used. */
#include "codegen/c/prelude/block.h"
#include "runtime/gnnc/abi.h"

#include <math.h>
#include <string.h>

//@ state_header
/* The state begins with this; `program` tells which model filled it, `size` for which graph. */
typedef struct state_header {
  uint64_t magic, program, size;
  int64_t steps;
} state_header;

//@ state_weight
/* A weight: its numbers, and where the state has its gradient and moments, of an updated one its next value. */
typedef struct state_weight {
  int64_t count;
  int is_trained, is_updated;
  size_t part[3];
  int64_t first; /* the chunks of earlier weights */
} state_weight;

//@ STATE_CHUNK
/* The numbers of a weight that a thread changes at a time. */
enum { STATE_CHUNK = 8192 };

//@ place_weight
static state_weight place_weight(size_t *at, int64_t *chunks, int64_t count, int is_trained, int is_updated) {
  state_weight w = {count, is_trained, is_updated, {0, 0, 0}, *chunks};
  if (is_trained || is_updated) w.part[0] = section(at, count, sizeof(float));
  for (int i = 1; i < 3 && is_trained; i++) w.part[i] = section(at, count, sizeof(float));
  if (is_trained) *chunks += (count + STATE_CHUNK - 1) / STATE_CHUNK;
  return w;
}

//@ keep_gradient
/* Puts the gradient of a weight, or the next value of an updated one, into the state; it may be there already. */
static void keep_gradient(const state_weight *w, const float *gradient, char *state) {
  if ((const void *)gradient == state + w->part[0]) return;
  memcpy(state + w->part[0], gradient, (size_t)w->count * sizeof *gradient);
}

//@ check_optimizer
static gnnc_result check_optimizer(const gnnc_optimizer *o) {
  if (o->size < offsetof(gnnc_optimizer, decays) + sizeof o->decays) return GNNC_ERROR_VERSION;
  const int is_known = o->kind == GNNC_SGD || o->kind == GNNC_ADAM || o->kind == GNNC_ADAMW;
  const int is_good = o->rate >= 0 && o->decay >= 0 && o->momentum >= 0 && o->clip >= 0;
  const int has_moments = o->beta1 >= 0 && o->beta1 < 1 && o->beta2 >= 0 && o->beta2 < 1 && o->epsilon >= 0;
  return is_known && is_good && (o->kind == GNNC_SGD || has_moments) ? GNNC_OK : GNNC_ERROR_OPTIMIZER;
}

//@ state_change
/* One step: what threads need to change a chunk. */
typedef struct state_change {
  const gnnc_optimizer *optimizer;
  const state_weight *places;
  float *const *weights;
  char *state;
  double *sums; /* by chunk: the sum of squares of its gradients */
  float scale;  /* of all gradients */
  float rate;   /* of Adam: with the correction of the first moments */
  float root;   /* of the correction of the second ones */
} state_change;

//@ state_chunk
/* A chunk of a weight: its numbers and their gradients and moments. */
typedef struct state_chunk {
  int64_t count;
  float decay;
  float *w, *g, *m, *v;
  int64_t weight;
} state_chunk;

//@ find_chunk
static state_chunk find_chunk(const state_change *s, int64_t part) {
  int64_t i = 0;
  while (!s->places[i].is_trained || (part - s->places[i].first) * STATE_CHUNK >= s->places[i].count) i++;
  const state_weight *p = &s->places[i];
  const int64_t begin = (part - p->first) * STATE_CHUNK;
  float *rows[3];
  for (int k = 0; k < 3; k++) rows[k] = (float *)(void *)(s->state + p->part[k]) + begin;
  const float factor = s->optimizer->decays ? s->optimizer->decays[i] : 1;
  const state_chunk c = {p->count - begin < STATE_CHUNK ? p->count - begin : STATE_CHUNK,
                         s->optimizer->decay * factor,
                         s->weights[i] + begin,
                         rows[0],
                         rows[1],
                         rows[2],
                         i};
  return c;
}

//@ sum_squares
/* In sixteen partial sums, the same on machines with shorter vectors. */
static void sum_squares(void *data, int64_t part) {
  const state_change *s = (const state_change *)data;
  const state_chunk c = find_chunk(s, part);
  double sum[16] = {0};
  for (int64_t i = 0; i < c.count / 16 * 16; i += 16)
    for (int k = 0; k < 16; k++) sum[k] += (double)c.g[i + k] * (double)c.g[i + k];
  for (int64_t i = c.count / 16 * 16; i < c.count; i++) sum[i % 16] += (double)c.g[i] * (double)c.g[i];
  for (int n = 8; n; n /= 2)
    for (int k = 0; k < n; k++) sum[k] += sum[k + n];
  s->sums[part] = sum[0];
}

//@ step_sgd
static void step_sgd(int64_t n, const state_change *s, float decay, float *restrict w, const float *restrict g,
                     float *restrict m) {
  const float scale = s->scale, rate = s->rate, momentum = s->optimizer->momentum;
  if (momentum == 0) {
    FEATURE_LOOP
    for (int64_t i = 0; i < n; i++) w[i] -= rate * (g[i] * scale + decay * w[i]);
    return;
  }
  FEATURE_LOOP
  for (int64_t i = 0; i < n; i++) {
    m[i] = momentum * m[i] + (g[i] * scale + decay * w[i]);
    w[i] -= rate * m[i];
  }
}

//@ step_adam
/* Roots are taken without errno, so that the loop vectorises. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-math-errno")
#endif
static void step_adam(int64_t n, const state_change *s, float decay, float *restrict w, const float *restrict g,
                      float *restrict m, float *restrict v) {
  const gnnc_optimizer *o = s->optimizer;
  const int is_apart = o->kind == GNNC_ADAMW; /* the decay of weights is no part of the gradient */
  const float scale = s->scale, rate = s->rate, root = s->root, epsilon = o->epsilon, beta2 = o->beta2;
  const float shrink = is_apart ? (float)(1 - (double)o->rate * (double)decay) : 1, added = is_apart ? 0 : decay;
  const float first = (float)(1 - (double)o->beta1), second = (float)(1 - (double)o->beta2);
  FEATURE_LOOP
  for (int64_t i = 0; i < n; i++) {
    const float d = g[i] * scale + added * w[i];
    m[i] += first * (d - m[i]);
    v[i] = beta2 * v[i] + second * (d * d);
    w[i] = w[i] * shrink - rate * (m[i] / (sqrtf(v[i]) / root + epsilon));
  }
}

//@ change_chunk
static void change_chunk(void *data, int64_t part) {
  const state_change *s = (const state_change *)data;
  const state_chunk c = find_chunk(s, part);
  if (s->optimizer->kind == GNNC_SGD)
    step_sgd(c.count, s, c.decay, c.w, c.g, c.m);
  else
    step_adam(c.count, s, c.decay, c.w, c.g, c.m, c.v);
}

//@ whole_power
/* x to a whole number, by multiplications alone, so that all machines get the same bits. */
static double whole_power(double x, int64_t n) {
  double y = 1;
  for (; n; n /= 2, x *= x)
    if (n % 2) y *= x;
  return y;
}

//@ change_weights
/* Changes all weights by their gradients in the state: scaled to the largest norm, then by the rule of the optimizer. */
static void change_weights(const gnnc_context *context, state_change *s, int64_t count, int64_t chunks, int64_t step) {
  const gnnc_optimizer *o = s->optimizer;
  double squares = 0;
  if (o->clip > 0) {
    for_parts(context, chunks, sum_squares, s);
    for (int64_t i = 0; i < chunks; i++) squares += s->sums[i];
  }
  const double limit = (double)o->clip / (sqrt(squares) + 1e-6);
  s->scale = o->clip > 0 && limit < 1 ? (float)limit : 1;
  s->rate = o->rate;
  s->root = 1;
  if (o->kind != GNNC_SGD) {
    s->rate = (float)((double)o->rate / (1 - whole_power((double)o->beta1, step)));
    s->root = (float)sqrt(1 - whole_power((double)o->beta2, step));
  }
  for_parts(context, chunks, change_chunk, s);
  for (int64_t i = 0; i < count; i++)
    if (s->places[i].is_updated && s->places[i].count)
      memcpy(s->weights[i], s->state + s->places[i].part[0], (size_t)s->places[i].count * sizeof(float));
}
