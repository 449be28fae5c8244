/* Computes nodes: messages times scale factors are added in the order of the list, then multiplied
 * by the weights. Float nodes round to fp32 after each product and each sum. Fixed-point nodes
 * compute with integers, whose sums are exact in 64 bits (the check of images sees to that), and
 * round once. */
#include "sim/agile/execute.h"

#include "isa/agile/lists_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct agile_weights {
  uint64_t f, o;
  float *real;                      /* [f][o] */
  int32_t *fixed[AGILE_PRECISIONS]; /* the same in steps of the weights' scale; NULL: not fetched */
  double largest;
};

/* The nearest number of steps, halves upwards, within the range of a signed number of so many bits;
 * NaN is 0. */
static int32_t quantise(float value, float step, int bits) {
  double most = (double)((INT64_C(1) << (bits - 1)) - 1), least = -most - 1;
  double steps = floor((double)value / (double)step + 0.5);
  if (isnan(steps)) return 0;
  return (int32_t)(steps > most ? most : steps < least ? least : steps);
}

static void note(double *largest, float value) {
  if (fabs((double)value) > *largest) *largest = fabs((double)value);
}

static const float *floats_at(const memory *m, uint64_t address, uint64_t count) {
  return (const float *)(const void *)memory_read(m, address, count * sizeof(float));
}

status agile_weights_fetch(const memory *m, const agile_state *s, agile_weights **out) {
  uint64_t f = s->reg[AGILE_REGISTER_in_features], o = s->reg[AGILE_REGISTER_out_features];
  agile_weights *w = calloc(1, sizeof *w);
  bool is_there = w && (w->real = calloc(f * o, sizeof *w->real));
  *out = w;
  for (int p = 1; p < AGILE_PRECISIONS && is_there; p++)
    if (s->reg[AGILE_REGISTER_precisions] >> p & 1)
      is_there = (w->fixed[p] = calloc(f * o, sizeof *w->fixed[p])) != NULL;
  if (!is_there) return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " weights", f * o);
  w->f = f;
  w->o = o;
  for (uint64_t i = 0; i < o; i++) {
    const float *row = floats_at(m, s->reg[AGILE_REGISTER_weights] + i * agile_row_bytes(f), f);
    if (!row) return status_error(STATUS_CODE_format, "row %" PRIu64 " of the weights is not in memory", i);
    for (uint64_t k = 0; k < f; k++) {
      w->real[k * o + i] = row[k];
      note(&w->largest, row[k]);
      for (int p = 1; p < AGILE_PRECISIONS; p++)
        if (w->fixed[p]) w->fixed[p][k * o + i] = quantise(row[k], agile_state_w_scale(s, p), agile_precision_bits(p));
    }
  }
  return STATUS_OK;
}

void agile_weights_free(agile_weights *w) {
  if (!w) return;
  free(w->real);
  for (int p = 0; p < AGILE_PRECISIONS; p++) free(w->fixed[p]);
  free(w);
}

/* A start while it is executed. */
typedef struct execution {
  memory *memory;
  const image *im;
  const agile_state *s;
  const agile_weights *w;
  agile_largest *largest;
  uint64_t f, o;
  agile_results results;
  const float *bias; /* NULL: one number, or none */
  float sums[1024], out[1024];
  int64_t fixed_sums[1024], fixed_out[1024];
} execution;

/* The lists of a node. */
typedef struct lists {
  agile_desc node;
  const unsigned char *offsets;
  const float *scales;
} lists;

static const float *message_of(const execution *e, const lists *l, uint32_t k) {
  uint32_t offset;
  memcpy(&offset, l->offsets + (uint64_t)k * sizeof offset, sizeof offset);
  return floats_at(e->memory, e->s->reg[AGILE_REGISTER_in_messages] + offset, e->f);
}

static void note_message(execution *e, const float *message, float scale) {
  note(&e->largest->scale, scale);
  for (uint64_t i = 0; i < e->f; i++) note(&e->largest->message, message[i]);
}

/* The first product begins the sum, so that -0 stays -0. */
static void add_message(execution *e, const float *message, float scale, bool is_first) {
  float *restrict sums = e->sums;
  for (uint64_t i = 0; i < e->f; i++) {
    float product = scale * message[i];
    sums[i] = is_first ? product : sums[i] + product;
  }
}

static void compute_real(execution *e, const lists *l) {
  const bool is_mean = e->s->reg[AGILE_REGISTER_aggregation] == AGILE_AGGREGATION_mean;
  float *restrict out = e->out;
  for (uint32_t k = 0; k < l->node.count; k++) {
    const float *message = message_of(e, l, k);
    note_message(e, message, l->scales[k]);
    add_message(e, message, l->scales[k], !k);
  }
  for (uint64_t i = 0; i < e->f && is_mean; i++) e->sums[i] /= (float)l->node.count;
  memset(e->out, 0, sizeof e->out);
  for (uint64_t i = 0; i < e->f; i++) {
    const float *restrict row = e->w->real + i * e->o;
    const float sum = e->sums[i];
    for (uint64_t k = 0; k < e->o; k++) out[k] += sum * row[k];
  }
}

static void compute_fixed(execution *e, const lists *l) {
  const bool is_mean = e->s->reg[AGILE_REGISTER_aggregation] == AGILE_AGGREGATION_mean;
  int p = l->node.precision, bits = agile_precision_bits(p);
  float sx = agile_state_x_scale(e->s, p), ss = agile_state_real(e->s, AGILE_REGISTER_s_scale);
  double step = (double)sx * (double)ss * (double)agile_state_w_scale(e->s, p);
  memset(e->fixed_sums, 0, sizeof e->fixed_sums);
  memset(e->fixed_out, 0, sizeof e->fixed_out);
  for (uint32_t k = 0; k < l->node.count; k++) {
    const float *message = message_of(e, l, k);
    int64_t scale = quantise(l->scales[k], ss, AGILE_SCALE_BITS);
    note_message(e, message, l->scales[k]);
    for (uint64_t i = 0; i < e->f; i++) e->fixed_sums[i] += scale * quantise(message[i], sx, bits);
  }
  for (uint64_t i = 0; i < e->f; i++)
    for (uint64_t k = 0; k < e->o; k++) e->fixed_out[k] += e->fixed_sums[i] * e->w->fixed[p][i * e->o + k];
  for (uint64_t k = 0; k < e->o; k++) {
    e->out[k] = (float)((double)e->fixed_out[k] * step);
    if (is_mean) e->out[k] /= (float)l->node.count;
  }
}

static void finish(execution *e) {
  uint64_t activation = e->s->reg[AGILE_REGISTER_activation];
  float bias = agile_state_real(e->s, AGILE_REGISTER_bias), alpha = agile_state_real(e->s, AGILE_REGISTER_alpha);
  bool has_bias = e->s->reg[AGILE_REGISTER_bias] != 0;
  for (uint64_t k = 0; k < e->o; k++) {
    float y = e->out[k];
    if (e->bias)
      y += e->bias[k];
    else if (has_bias)
      y += bias;
    if (activation == AGILE_ACTIVATION_relu) y = y < 0 ? 0 : y;
    if (activation == AGILE_ACTIVATION_leaky_relu) y = y < 0 ? y * alpha : y;
    e->out[k] = y;
  }
}

static status find_lists(execution *e, lists *l) {
  uint64_t bytes = l->node.count * (uint64_t)sizeof(uint32_t);
  l->offsets = memory_read(e->memory, agile_list_address(e->s, l->node), bytes);
  l->scales = floats_at(e->memory, agile_scales_address(e->s, l->node), l->node.count);
  if (!l->offsets || !l->scales) return status_error(STATUS_CODE_format, "its lists are not in memory");
  return e->im->sections[IMAGE_EDGES].data ? STATUS_OK : agile_list_check(e->im, e->s, e->results, l->node, l->offsets);
}

static status execute_node(execution *e, agile_desc node) {
  uint64_t stride = agile_row_bytes(e->o);
  lists l = {.node = node};
  RETURN_IF_ERROR(find_lists(e, &l));
  unsigned char *row =
      memory_write(e->memory, e->s->reg[AGILE_REGISTER_out_features_address] + node.node * stride, stride, true);
  if (!row) return status_error(STATUS_CODE_format, "its result is not in '.features'");
  if (node.precision == AGILE_PRECISION_float_32)
    compute_real(e, &l);
  else
    compute_fixed(e, &l);
  finish(e);
  memset(row, 0, stride);
  memcpy(row, e->out, e->o * sizeof(float));
  return STATUS_OK;
}

status agile_execute(memory *m, const image *im, const agile_state *s, const unsigned char *descs,
                     const agile_weights *w, agile_largest *largest) {
  uint64_t bias = s->reg[AGILE_REGISTER_bias_address];
  execution e = {.memory = m, .im = im, .s = s, .w = w, .largest = largest, .f = w->f, .o = w->o};
  e.results = agile_results_of(s, descs);
  if (bias) e.bias = floats_at(m, bias, e.o);
  if (bias && !e.bias) return status_error(STATUS_CODE_format, "the bias is not in memory");
  if (w->largest > largest->weight) largest->weight = w->largest;
  for (uint64_t i = 0; i < s->reg[AGILE_REGISTER_node_count]; i++) {
    agile_desc node = agile_desc_at(descs, i);
    if (!agile_desc_runs(node)) continue;
    RETURN_IF_ERROR(status_context(execute_node(&e, node), "node %" PRIu32, node.node));
  }
  return STATUS_OK;
}
