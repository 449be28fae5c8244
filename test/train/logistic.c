/* gnnc model logistic: by hand. */
/* A training program against runtime/gnnc/abi.h, for tests of gnn-train without the compiler: softmax regression on sums
 * of neighbours,
 *
 *   h[n] = x[n] + sum of x[src] over the edges into n,   logits[n] = dropout(h[n] - mean) W^T + b,
 *
 * with the cross entropy over the rows of the mask as loss. W and b are trained; mean is a running mean that every step
 * updates. Columns of x and classes are fixed below. */
#include "gnnc/abi.h"

#include <math.h>
#include <string.h>

#ifndef COLUMNS
#define COLUMNS 34
#endif
#ifndef CLASSES
#define CLASSES 2
#endif
#ifndef DROP
#define DROP 0.5f
#endif
#ifndef BREAKS
#define BREAKS 0 /* the step whose loss is no number */
#endif
#ifndef NAME
#define NAME logistic
#endif

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

enum { WEIGHT, BIAS, MEAN, WEIGHTS, MAGIC = 0x10915 };

static const int64_t counts[WEIGHTS] = {CLASSES * COLUMNS, CLASSES, COLUMNS};

static const gnnc_tensor_info inputs[] = {
    {"x", "x", "graph", GNNC_ROWS_NODE, 0, 1, {COLUMNS}, 0, 0, NULL},
    {"y", "y", "graph", GNNC_ROWS_NODE, 0, 0, {0}, 0, 0, NULL},
    {"train", "train_mask", "graph", GNNC_ROWS_NODE, 0, 0, {0}, 0, 0, NULL},
};
static const gnnc_tensor_info weights[] = {
    {"W", "lin.weight", "weights", GNNC_ROWS_ONE, 0, 2, {CLASSES, COLUMNS}, 0, 0, NULL},
    {"b", "lin.bias", "weights", GNNC_ROWS_ONE, 0, 1, {CLASSES}, 0, 0, NULL},
    {"mean", "center.running_mean", "weights", GNNC_ROWS_ONE, 0, 1, {COLUMNS}, 0, 0, NULL},
};
static const gnnc_tensor_info outputs[] = {
    {"logits", "logits", "", GNNC_ROWS_NODE, 0, 1, {CLASSES}, 0, 0, NULL},
    {"nll", "nll", "", GNNC_ROWS_ONE, 0, 0, {0}, 0, 0, NULL},
};
static const gnnc_weight_info weight_infos[] = {{1, 0, "glorot"}, {1, 0, "zeros"}, {0, 1, "zeros"}};

typedef struct block {
  int64_t magic, nodes, edges;
  int32_t ends[]; /* sources, then targets */
} block;

typedef struct state {
  int64_t magic, steps;
  float parts[]; /* of each trained weight: gradient, m, v */
} state;

size_t logistic_train_bound_bytes(const gnnc_graph *graph) {
  return sizeof(block) + 2 * (size_t)graph->num_edges * sizeof(int32_t);
}

gnnc_result logistic_train_bind(int32_t abi_version, const gnnc_graph *graph, void *bound, size_t bound_size,
                                int64_t *index) {
  block *b = bound;
  *index = abi_version;
  if (abi_version != GNNC_ABI_VERSION) return GNNC_ERROR_VERSION;
  if (bound_size < logistic_train_bound_bytes(graph)) return GNNC_ERROR_SIZE;
  for (int64_t e = 0; e < graph->num_edges; e++) {
    *index = e;
    if (graph->src[e] < 0 || graph->src[e] >= graph->num_nodes) return GNNC_ERROR_EDGE_RANGE;
    if (graph->dst[e] < 0 || graph->dst[e] >= graph->num_nodes) return GNNC_ERROR_EDGE_RANGE;
  }
  *b = (block){MAGIC, graph->num_nodes, graph->num_edges};
  memcpy(b->ends, graph->src, (size_t)graph->num_edges * sizeof(int32_t));
  memcpy(b->ends + graph->num_edges, graph->dst, (size_t)graph->num_edges * sizeof(int32_t));
  return GNNC_OK;
}

/* Rows of h, then rows of the logits and of their adjoints. */
size_t logistic_train_workspace_bytes(const void *bound, const gnnc_context *context) {
  (void)context;
  return (size_t)((const block *)bound)->nodes * (COLUMNS + 2 * CLASSES) * sizeof(float);
}

size_t logistic_train_state_bytes(const void *bound) {
  (void)bound;
  return sizeof(state) + 3 * (size_t)(counts[WEIGHT] + counts[BIAS]) * sizeof(float);
}

/* A number from 0 to 1 that depends on its arguments alone. */
static float draw(uint64_t seed, uint64_t number, uint64_t place) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + number * 0xD1B54A32D192ED03u + place * 0xA24BAED4963EE407u;
  for (int i = 0; i < 3; i++) x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
  return (float)(x >> 40) * 0x1p-24f;
}

gnnc_result logistic_train_initialize(const void *bound, float *const *w, uint64_t seed) {
  float limit = sqrtf(6.0f / (COLUMNS + CLASSES));
  (void)bound;
  for (int64_t i = 0; i < counts[WEIGHT]; i++) w[WEIGHT][i] = limit * (2 * draw(seed, 0, (uint64_t)i) - 1);
  memset(w[BIAS], 0, sizeof(float) * CLASSES);
  memset(w[MEAN], 0, sizeof(float) * COLUMNS);
  return GNNC_OK;
}

gnnc_result logistic_train_reset(const void *bound, void *s) {
  memset(s, 0, logistic_train_state_bytes(bound));
  ((state *)s)->magic = MAGIC;
  return GNNC_OK;
}

gnnc_result logistic_train_state_tensor(const void *bound, void *s, int32_t weight, int32_t which, float **data,
                                        int64_t *count) {
  (void)bound;
  if (weight < 0 || weight > BIAS || which < 0 || which > 2) return GNNC_ERROR_NULL;
  *count = counts[weight];
  *data = ((state *)s)->parts + (weight == BIAS ? 3 * counts[WEIGHT] : 0) + which * counts[weight];
  return GNNC_OK;
}

int64_t *logistic_train_state_steps(void *s) {
  return &((state *)s)->steps;
}

/* ---- the model ---- */

typedef struct call {
  const block *b;
  const float *x, *y, *mask;
  float *const *w;
  float *h, *logits, *adjoint;
  const gnnc_step *step; /* NULL: no dropout */
} call;

enum { PART_ROWS = 8 };

static void compute_row(const call *c, int64_t n) {
  float *h = c->h + n * COLUMNS;
  for (int j = 0; j < COLUMNS; j++) h[j] -= c->w[MEAN][j];
  for (int j = 0; c->step && j < COLUMNS; j++) {
    float drawn = draw(c->step->seed, (uint64_t)c->step->number, (uint64_t)(n * COLUMNS + j));
    h[j] = drawn < DROP ? 0 : h[j] / (1 - DROP);
  }
  for (int k = 0; k < CLASSES; k++) {
    float sum = c->w[BIAS][k];
    for (int j = 0; j < COLUMNS; j++) sum += h[j] * c->w[WEIGHT][k * COLUMNS + j];
    c->logits[n * CLASSES + k] = sum;
  }
}

static void compute_part(void *data, int64_t part) {
  const call *c = data;
  for (int64_t n = part * PART_ROWS; n < (part + 1) * PART_ROWS && n < c->b->nodes; n++) compute_row(c, n);
}

/* Writes the logits, and the adjoints of the loss; returns the loss. */
static float forward(call *c, const gnnc_executor *executor) {
  const int64_t nodes = c->b->nodes, parts = (nodes + PART_ROWS - 1) / PART_ROWS;
  memcpy(c->h, c->x, (size_t)nodes * COLUMNS * sizeof(float));
  for (int64_t e = 0; e < c->b->edges; e++)
    for (int j = 0; j < COLUMNS; j++)
      c->h[c->b->ends[c->b->edges + e] * COLUMNS + j] += c->x[c->b->ends[e] * COLUMNS + j];
  if (executor)
    executor->for_parts(executor->user, parts, compute_part, c);
  else
    for (int64_t p = 0; p < parts; p++) compute_part(c, p);
  float loss = 0, rows = 0;
  for (int64_t n = 0; n < nodes; n++) rows += c->mask[n];
  for (int64_t n = 0; n < nodes; n++) {
    const float *z = c->logits + n * CLASSES;
    float most = z[0], sum = 0;
    for (int k = 1; k < CLASSES; k++) most = z[k] > most ? z[k] : most;
    for (int k = 0; k < CLASSES; k++) sum += expf(z[k] - most);
    for (int k = 0; k < CLASSES; k++) {
      float is = c->y[n] == (float)k, scale = c->mask[n] / rows;
      loss -= scale * is * (z[k] - most - logf(sum));
      c->adjoint[n * CLASSES + k] = scale * (expf(z[k] - most) / sum - is);
    }
  }
  return loss;
}

static call make_call(const void *bound, const void *const *in, float *const *w, void *workspace) {
  const block *b = bound;
  call c = {.b = b, .x = in[0], .y = in[1], .mask = in[2], .w = w, .h = workspace};
  c.logits = c.h + b->nodes * COLUMNS;
  c.adjoint = c.logits + b->nodes * CLASSES;
  return c;
}

gnnc_result logistic_train_evaluate(const void *bound, const void *const *in, float *const *w, void *const *out,
                                    void *workspace, const gnnc_context *context) {
  call c = make_call(bound, in, w, workspace);
  *(float *)out[1] = forward(&c, context ? context->executor : NULL);
  memcpy(out[0], c.logits, (size_t)c.b->nodes * CLASSES * sizeof(float));
  return GNNC_OK;
}

gnnc_result logistic_train_gradients(const void *bound, const void *const *in, float *const *w, float *const *out,
                                     void *workspace, const gnnc_context *context) {
  static const gnnc_step none;
  call c = make_call(bound, in, w, workspace);
  c.step = context && context->step ? context->step : &none;
  *out[WEIGHTS] = forward(&c, context ? context->executor : NULL);
  memset(out[WEIGHT], 0, sizeof(float) * (size_t)counts[WEIGHT]);
  memset(out[BIAS], 0, sizeof(float) * (size_t)counts[BIAS]);
  for (int j = 0; j < COLUMNS; j++) out[MEAN][j] = 0.9f * w[MEAN][j];
  for (int64_t n = 0; n < c.b->nodes; n++) {
    for (int k = 0; k < CLASSES; k++) {
      float d = c.adjoint[n * CLASSES + k];
      out[BIAS][k] += d;
      for (int j = 0; j < COLUMNS; j++) out[WEIGHT][k * COLUMNS + j] += d * c.h[n * COLUMNS + j];
    }
    for (int j = 0; j < COLUMNS; j++) out[MEAN][j] += 0.1f * c.x[n * COLUMNS + j] / (float)c.b->nodes;
  }
  if (BREAKS && c.step->number == BREAKS) *out[WEIGHTS] = out[BIAS][0] = NAN;
  return GNNC_OK;
}

static void update(const gnnc_optimizer *o, float factor, float scale, int64_t steps, int64_t count, float *w, float *g,
                   float *m, float *v) {
  const float decay = o->decay * factor, first = 1 - powf(o->beta1, (float)steps),
              second = 1 - powf(o->beta2, (float)steps);
  for (int64_t i = 0; i < count; i++) {
    float d = scale * g[i] + (o->kind == GNNC_ADAMW ? 0 : decay * w[i]);
    if (o->kind == GNNC_SGD) {
      m[i] = steps == 1 ? d : o->momentum * m[i] + d;
      w[i] -= o->rate * (o->momentum != 0 ? m[i] : d);
      continue;
    }
    if (o->kind == GNNC_ADAMW) w[i] -= o->rate * decay * w[i];
    m[i] = o->beta1 * m[i] + (1 - o->beta1) * d;
    v[i] = o->beta2 * v[i] + (1 - o->beta2) * d * d;
    w[i] -= o->rate / first * m[i] / (sqrtf(v[i] / second) + o->epsilon);
  }
}

/* Changes the weights by the gradients in the state, and the mean to its next value. */
static void change(const gnnc_optimizer *o, float *const *w, state *s, const float *mean) {
  const int64_t steps = ++s->steps;
  float *parts[2][3], norm = 0;
  int64_t count = 0;
  for (int i = 0; i < 6; i++) logistic_train_state_tensor(NULL, s, i / 3, i % 3, &parts[i / 3][i % 3], &count);
  for (int k = 0; k < 2; k++)
    for (int64_t i = 0; i < counts[k]; i++) norm += parts[k][0][i] * parts[k][0][i];
  const float scale = o->clip > 0 && sqrtf(norm) > o->clip ? o->clip / sqrtf(norm) : 1;
  for (int k = 0; k < 2; k++)
    update(o, o->decays ? o->decays[k] : 1, scale, steps, counts[k], w[k], parts[k][0], parts[k][1], parts[k][2]);
  memcpy(w[MEAN], mean, sizeof(float) * COLUMNS);
}

gnnc_result logistic_train_step(const void *bound, const void *const *in, float *const *w, void *s,
                                const gnnc_optimizer *o, float *loss, void *workspace, const gnnc_context *context) {
  float *parts[2], mean[COLUMNS];
  int64_t count = 0;
  for (int k = 0; k < 2; k++) logistic_train_state_tensor(bound, s, k, 0, &parts[k], &count);
  float *const out[] = {parts[WEIGHT], parts[BIAS], mean, loss};
  gnnc_result result = logistic_train_gradients(bound, in, w, out, workspace, context);
  change(o, w, s, mean);
  return result;
}

gnnc_result logistic_train_apply(const void *bound, float *const *given, float *const *w, void *s,
                                 const gnnc_optimizer *o, const gnnc_context *context) {
  (void)context;
  for (int k = 0; k < 2; k++) {
    float *gradient = NULL;
    int64_t count = 0;
    logistic_train_state_tensor(bound, s, k, 0, &gradient, &count);
    memcpy(gradient, given[k], (size_t)count * sizeof *gradient);
  }
  change(o, w, s, given[MEAN]);
  return GNNC_OK;
}

const gnnc_train_info *logistic_train_info(void) {
  static const gnnc_train_info info = {.abi_version = GNNC_ABI_VERSION,
                                       .size = sizeof info,
                                       .name = TEXT(NAME),
                                       .num_inputs = 3,
                                       .num_weights = WEIGHTS,
                                       .num_outputs = 2,
                                       .inputs = inputs,
                                       .weights = weights,
                                       .outputs = outputs,
                                       .weight_infos = weight_infos,
                                       .bound_bytes = logistic_train_bound_bytes,
                                       .bind = logistic_train_bind,
                                       .workspace_bytes = logistic_train_workspace_bytes,
                                       .gradients = logistic_train_gradients,
                                       .evaluate = logistic_train_evaluate,
                                       .initialize = logistic_train_initialize,
                                       .state_bytes = logistic_train_state_bytes,
                                       .reset = logistic_train_reset,
                                       .step = logistic_train_step,
                                       .state_tensor = logistic_train_state_tensor,
                                       .state_steps = logistic_train_state_steps,
                                       .apply = logistic_train_apply};
  return &info;
}
