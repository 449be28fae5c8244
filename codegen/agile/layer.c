/* Writes the records of one layer of the device: the sequence of the published driver. Rows that one
 * base register cannot reach are several layers. */
#include "codegen/agile/program.h"

#include "codegen/agile/precision.h"
#include "support/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static float weight_of(const agile_weights *w, int64_t f, int64_t o) {
  if (!w->key) return o < w->nn && f == o + w->begin;
  if (o >= w->nn) return 0;
  if (f < w->kn) return w->numbers[(w->k0 + f) * w->n + w->n0 + o];
  return f == w->kn && w->has_bias ? w->bias[w->n0 + o] / w->unit : 0;
}

/* Finds or keeps the weights of a layer: a row of f numbers for each of o results. */
static status keep_weights(agile_program *p, const agile_layer_plan *x, agile_constant **out) {
  const agile_weights *w = &x->w;
  const char *key = arena_printf(
      p->arena, "weights %s %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
      w->key ? w->key : "identity", w->has_bias, w->k0, w->kn, w->n0, w->nn, w->begin, x->f, x->o);
  float *made = NULL;
  *out = agile_store_find(p, key);
  if (*out) return STATUS_OK;
  if (!p->no_data || !w->key) {
    made = arena_try_alloc_array(p->arena, (size_t)(x->f * x->o) + 1, sizeof *made);
    if (!made) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " weights", x->f * x->o);
    for (int64_t o = 0; o < x->o; o++)
      for (int64_t f = 0; f < x->f; f++) made[o * x->f + f] = weight_of(w, f, o);
  }
  return agile_store_constant(p, key, x->o, x->f, (int64_t)agile_row_bytes((uint64_t)x->f), made, out);
}

static void add(agile_program *p, agile_opcode op, uint64_t reg, uint64_t value) {
  agile_insn in = {.op = op};
  if (op == AGILE_OP_layer) {
    in.layer.layer = value;
  } else if (op == AGILE_OP_poll) {
    in.poll = (agile_poll){.reg = reg, .value = value};
  } else {
    in.write = (agile_write){.reg = reg, .value = value};
  }
  VEC_PUSH(p->arena, &p->code, in);
}

static void set(agile_program *p, uint64_t reg, uint64_t value) {
  if (value) add(p, AGILE_OP_write, reg, value);
}

static void set_real(agile_program *p, uint64_t reg, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  set(p, reg, bits);
}

/* A command, the wait for its end, and the acknowledgement. */
static void command(agile_program *p, uint64_t start, uint64_t done, uint64_t ack) {
  add(p, AGILE_OP_write, start, 1);
  add(p, AGILE_OP_poll, done, 1);
  add(p, AGILE_OP_write, ack, 1);
}

static void set_steps(agile_program *p, const agile_steps *s) {
  static const struct {
    int precision;
    uint64_t x, w;
  } registers[] = {
      {AGILE_PRECISION_fixed_8, AGILE_REGISTER_x_scale_fixed_8, AGILE_REGISTER_w_scale_fixed_8},
      {AGILE_PRECISION_fixed_16, AGILE_REGISTER_x_scale_fixed_16, AGILE_REGISTER_w_scale_fixed_16},
      {AGILE_PRECISION_fixed_4, AGILE_REGISTER_x_scale_fixed_4, AGILE_REGISTER_w_scale_fixed_4},
  };
  set(p, AGILE_REGISTER_precisions, s->mask);
  for (int i = 0; i < 3; i++) {
    if (!(s->mask >> registers[i].precision & 1)) continue;
    set_real(p, registers[i].x, s->x[registers[i].precision]);
    set_real(p, registers[i].w, s->w[registers[i].precision]);
  }
  if (s->mask >> 1) set_real(p, AGILE_REGISTER_s_scale, s->s);
}

/* A pass of the engine takes nodes of one precision. With several, so many must be enough that some
 * precision has them when the buffer or the nodeslots are full. 0: the device's own. */
static uint64_t wait_count(const agile_device *d, uint64_t mask) {
  int64_t room = number_min(number_min(d->fte_rows, d->buffer_slots), d->nodeslots), precisions = 0;
  for (int p = 0; p < AGILE_PRECISIONS; p++) precisions += (int64_t)(mask >> p & 1);
  return precisions > 1 ? (uint64_t)((room - 1) / precisions + 1) : 0;
}

/* The rows lo .. hi - 1, whose lists begin at rows `from` of the list. */
static void emit_chunk(agile_program *p, const agile_layer_plan *x, const agile_constant *w, int64_t from, int64_t lo,
                       int64_t hi) {
  const agile_list *l = x->list;
  uint64_t words = (uint64_t)l->first[from] * sizeof(uint32_t);
  const agile_descs *descs = agile_list_descs(p, l, from, lo, hi, x->f, x->o);
  agile_steps steps = agile_precision_steps(p, l, w, x->f, x->o, x->w.unit, lo, hi);
  add(p, AGILE_OP_layer, 0, agile_precision_layer(p, x->layer));
  set(p, AGILE_REGISTER_node_count, (uint64_t)(hi - lo));
  set(p, AGILE_REGISTER_nodeslots, sections_tagged(IMAGE_DESC, descs->at));
  set(p, AGILE_REGISTER_in_features, (uint64_t)x->f);
  set(p, AGILE_REGISTER_out_features, (uint64_t)x->o);
  set(p, AGILE_REGISTER_adjacency_list, sections_tagged(IMAGE_EDGES, l->list_at + words));
  set(p, AGILE_REGISTER_scale_factors,
      x->scales ? x->scales + words : sections_tagged(IMAGE_EDGES, l->scale_at + words));
  set(p, AGILE_REGISTER_in_messages, l->is_fixed ? CHAIN_BASE : x->messages);
  set(p, AGILE_REGISTER_weights, sections_tagged(IMAGE_WEIGHTS, w->offset));
  set(p, AGILE_REGISTER_out_features_address, x->out);
  set(p, AGILE_REGISTER_bias_address, x->bias_address);
  set(p, AGILE_REGISTER_activation, (uint64_t)x->activation);
  set(p, AGILE_REGISTER_wait_count, wait_count(agile_device_of(p), steps.mask));
  if (x->activation == AGILE_ACTIVATION_leaky_relu) set_real(p, AGILE_REGISTER_alpha, x->alpha);
  set_steps(p, &steps);
  add(p, AGILE_OP_write, AGILE_REGISTER_layer_config_valid, 1);
  command(p, AGILE_REGISTER_fetch_layer_weights, AGILE_REGISTER_fetch_layer_weights_done,
          AGILE_REGISTER_fetch_layer_weights_done_ack);
  command(p, AGILE_REGISTER_start_nodeslot_fetch, AGILE_REGISTER_start_nodeslot_fetch_done,
          AGILE_REGISTER_start_nodeslot_fetch_done_ack);
  add(p, AGILE_OP_poll, AGILE_REGISTER_nodeslots_empty, 1);
  p->starts++;
}

status agile_layer_emit(agile_program *p, const agile_layer_plan *x) {
  const agile_list *l = x->list;
  agile_constant *w;
  RETURN_IF_ERROR(keep_weights(p, x, &w));
  for (int64_t i = 0; i < l->num_chunks; i++) {
    int64_t lo = number_max(x->lo, l->chunk[i]), hi = number_min(x->hi, l->chunk[i + 1]);
    if (lo < hi) emit_chunk(p, x, w, l->chunk[i], lo, hi);
  }
  return STATUS_OK;
}
