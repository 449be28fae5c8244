/* Reads programs of AGILE: see program.h. */
#include "isa/agile/program.h"

#include "isa/agile/format.h"

#include <inttypes.h>

static const agile_register_info registers[AGILE_COUNT_REGISTER] = {
#define REGISTER(name, number, form, bits, doc) [number] = {#name, AGILE_FORM_##form, bits, doc},
#include "isa/agile/agile.def"
};

const agile_register_info *agile_register(uint64_t number) {
  return number < AGILE_COUNT_REGISTER && registers[number].name ? &registers[number] : NULL;
}

static const char *name_of(uint64_t reg) {
  return registers[reg].name;
}

static status check_value(const agile_write *in, const agile_register_info *r) {
  uint64_t largest = (UINT64_C(1) << r->bits) - 1;
  if (r->form == AGILE_FORM_activation) largest = AGILE_COUNT_ACTIVATION - 1;
  if (r->form == AGILE_FORM_aggregation) largest = AGILE_COUNT_AGGREGATION - 1;
  if (r->form == AGILE_FORM_state) return status_error(STATUS_CODE_format, "'%s' is written, expected a poll", r->name);
  if (r->form == AGILE_FORM_command && in->value != 1)
    return status_error(STATUS_CODE_format, "'%s' is 0x%" PRIx64 ", expected 1", r->name, in->value);
  if (in->value <= largest) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s' is 0x%" PRIx64 "; the largest value is 0x%" PRIx64, r->name, in->value,
                      largest);
}

/* What a program has to do in a phase. */
static const char *expected_in(agile_phase phase) {
  switch (phase) {
  case AGILE_PHASE_idle: return "fetch_layer_weights or start_nodeslot_fetch before it";
  case AGILE_PHASE_fetching: return "poll of fetch_layer_weights_done";
  case AGILE_PHASE_fetched: return "write of fetch_layer_weights_done_ack";
  case AGILE_PHASE_reading: return "poll of start_nodeslot_fetch_done";
  case AGILE_PHASE_read: return "write of start_nodeslot_fetch_done_ack";
  case AGILE_PHASE_running: break;
  }
  return "poll of nodeslots_empty";
}

static status unexpected(const agile_state *s, const char *what) {
  return status_error(STATUS_CODE_format, "%s, expected %s", what, expected_in(s->phase));
}

static status go(agile_state *s, agile_phase from, agile_phase to, const char *what) {
  if (s->phase != from) return unexpected(s, what);
  s->phase = to;
  return STATUS_OK;
}

/* A register of the configuration. The weights in the device do not fit other sizes or scales. */
static status write_config(agile_state *s, const agile_write *in) {
  if (s->phase != AGILE_PHASE_idle) return unexpected(s, name_of(in->reg));
  switch (in->reg) {
  case AGILE_REGISTER_in_features:
  case AGILE_REGISTER_out_features:
  case AGILE_REGISTER_weights:
  case AGILE_REGISTER_precisions:
  case AGILE_REGISTER_w_scale_fixed_4:
  case AGILE_REGISTER_w_scale_fixed_8:
  case AGILE_REGISTER_w_scale_fixed_16: s->has_weights = false; break;
  default: break;
  }
  return STATUS_OK;
}

static status check_valid(const agile_state *s, const char *command) {
  if (s->reg[AGILE_REGISTER_layer_config_valid]) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%s, expected layer_config_valid before it", command);
}

static status fetch(agile_state *s, agile_action *action) {
  const char *command = name_of(AGILE_REGISTER_fetch_layer_weights);
  RETURN_IF_ERROR(go(s, AGILE_PHASE_idle, AGILE_PHASE_fetching, command));
  RETURN_IF_ERROR(check_valid(s, command));
  *action = AGILE_ACTION_fetch;
  s->has_weights = true;
  return STATUS_OK;
}

static status start(agile_state *s, agile_action *action) {
  const char *command = name_of(AGILE_REGISTER_start_nodeslot_fetch);
  RETURN_IF_ERROR(go(s, AGILE_PHASE_idle, AGILE_PHASE_reading, command));
  RETURN_IF_ERROR(check_valid(s, command));
  if (!s->has_weights)
    return status_error(STATUS_CODE_format,
                        "%s, expected fetch_layer_weights behind the last change of weights, sizes or precisions",
                        command);
  *action = AGILE_ACTION_start;
  return STATUS_OK;
}

static status write_register(agile_state *s, const agile_write *in, agile_action *action) {
  const agile_register_info *r = agile_register(in->reg);
  if (!r) return status_error(STATUS_CODE_format, "there is no register %" PRIu64, in->reg);
  if (!s->is_in_layer) return status_error(STATUS_CODE_format, "'%s' is written, expected layer before it", r->name);
  RETURN_IF_ERROR(check_value(in, r));
  s->reg[in->reg] = in->value;
  switch (in->reg) {
  case AGILE_REGISTER_fetch_layer_weights: return fetch(s, action);
  case AGILE_REGISTER_start_nodeslot_fetch: return start(s, action);
  case AGILE_REGISTER_fetch_layer_weights_done_ack: return go(s, AGILE_PHASE_fetched, AGILE_PHASE_idle, r->name);
  case AGILE_REGISTER_start_nodeslot_fetch_done_ack: return go(s, AGILE_PHASE_read, AGILE_PHASE_running, r->name);
  default: return write_config(s, in);
  }
}

static status poll_register(agile_state *s, const agile_poll *in) {
  const agile_register_info *r = agile_register(in->reg);
  if (!r) return status_error(STATUS_CODE_format, "there is no register %" PRIu64, in->reg);
  if (r->form != AGILE_FORM_state)
    return status_error(STATUS_CODE_format, "poll of '%s', which does not change by itself", r->name);
  if (in->value != 1)
    return status_error(STATUS_CODE_format, "poll of '%s' for 0x%" PRIx64 ", expected 1", r->name, in->value);
  switch (in->reg) {
  case AGILE_REGISTER_fetch_layer_weights_done:
    return go(s, AGILE_PHASE_fetching, AGILE_PHASE_fetched, "poll of fetch_layer_weights_done");
  case AGILE_REGISTER_start_nodeslot_fetch_done:
    return go(s, AGILE_PHASE_reading, AGILE_PHASE_read, "poll of start_nodeslot_fetch_done");
  default: return go(s, AGILE_PHASE_running, AGILE_PHASE_idle, "poll of nodeslots_empty");
  }
}

status agile_state_step(agile_state *s, const agile_insn *in, agile_action *action) {
  *action = AGILE_ACTION_none;
  switch (in->op) {
  case AGILE_OP_write: return write_register(s, &in->write, action);
  case AGILE_OP_poll: return poll_register(s, &in->poll);
  case AGILE_OP_layer:
    if (s->phase != AGILE_PHASE_idle) return unexpected(s, "layer");
    *s = (agile_state){.is_in_layer = true, .layer = in->layer.layer};
    return STATUS_OK;
  case AGILE_OP_halt: break;
  }
  return s->phase == AGILE_PHASE_idle ? STATUS_OK : unexpected(s, "halt");
}

float agile_state_real(const agile_state *s, int reg) {
  uint32_t bits = (uint32_t)s->reg[reg];
  float real;
  memcpy(&real, &bits, sizeof real);
  return real;
}

float agile_state_x_scale(const agile_state *s, int precision) {
  static const int of[AGILE_PRECISIONS] = {[AGILE_PRECISION_fixed_8] = AGILE_REGISTER_x_scale_fixed_8,
                                           [AGILE_PRECISION_fixed_16] = AGILE_REGISTER_x_scale_fixed_16,
                                           [AGILE_PRECISION_fixed_4] = AGILE_REGISTER_x_scale_fixed_4};
  return agile_state_real(s, of[precision]);
}

float agile_state_w_scale(const agile_state *s, int precision) {
  static const int of[AGILE_PRECISIONS] = {[AGILE_PRECISION_fixed_8] = AGILE_REGISTER_w_scale_fixed_8,
                                           [AGILE_PRECISION_fixed_16] = AGILE_REGISTER_w_scale_fixed_16,
                                           [AGILE_PRECISION_fixed_4] = AGILE_REGISTER_w_scale_fixed_4};
  return agile_state_real(s, of[precision]);
}

uint64_t agile_state_wait_count(const agile_state *s, const agile_device *d) {
  int32_t most = d->fte_rows < d->buffer_slots ? d->fte_rows : d->buffer_slots;
  if (s->reg[AGILE_REGISTER_wait_count]) return s->reg[AGILE_REGISTER_wait_count];
  return (uint64_t)(most < d->nodeslots ? most : d->nodeslots);
}
