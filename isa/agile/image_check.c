/* Checks the program of an image: records in order, registers at each fetch of weights and at each
 * start of nodeslots. */
#include "isa/agile/image_check.h"

#include "isa/agile/lists_check.h"

#include <inttypes.h>
#include <math.h>

static status check_limit(const char *name, uint64_t value, uint64_t most) {
  if (value >= 1 && value <= most) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s' is %" PRIu64 ", expected 1 to %" PRIu64, name, value, most);
}

static status check_aligned(const agile_state *s, int reg) {
  uint64_t value = s->reg[reg];
  if (value % AGILE_BEAT_BYTES == 0) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s' is 0x%" PRIx64 ", expected a multiple of %d",
                      agile_register((uint64_t)reg)->name, value, AGILE_BEAT_BYTES);
}

static status check_scale(const char *name, int precision, float value) {
  const char *of = precision < 0 ? "" : isa_name_value(&agile_isa, AGILE_VALUES_PRECISION, (uint64_t)precision);
  if (isfinite(value) && value > 0) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s%s' is %g, expected a positive number", name, of, (double)value);
}

static status check_fetch(const image *im, const agile_state *s) {
  const agile_device *d = &im->device.agile;
  uint64_t f = s->reg[AGILE_REGISTER_in_features], o = s->reg[AGILE_REGISTER_out_features];
  RETURN_IF_ERROR(check_limit("in_features", f, agile_most_features(d)));
  RETURN_IF_ERROR(check_limit("out_features", o, (uint64_t)d->fte_columns));
  if (!s->reg[AGILE_REGISTER_precisions])
    return status_error(STATUS_CODE_format, "'precisions' is 0, expected the precisions of the nodes");
  for (int p = 1; p < AGILE_PRECISIONS; p++)
    if (s->reg[AGILE_REGISTER_precisions] >> p & 1)
      RETURN_IF_ERROR(check_scale("w_scale_", p, agile_state_w_scale(s, p)));
  RETURN_IF_ERROR(check_aligned(s, AGILE_REGISTER_weights));
  uint64_t bytes = (o - 1) * agile_row_bytes(f) + f * sizeof(float);
  return agile_span_check(im, "'weights'", s->reg[AGILE_REGISTER_weights], bytes,
                          1 << IMAGE_WEIGHTS | 1 << IMAGE_FEATURES);
}

static status check_bias(const image *im, const agile_state *s) {
  uint64_t at = s->reg[AGILE_REGISTER_bias_address];
  if (!at) return STATUS_OK;
  if (!im->device.agile.has_vector_bias)
    return status_error(STATUS_CODE_format, "'bias_address' is 0x%" PRIx64 ", the device has no 'has_vector_bias'", at);
  if (s->reg[AGILE_REGISTER_bias])
    return status_error(STATUS_CODE_format, "'bias' is 0x%" PRIx64 ", expected 0 beside 'bias_address'",
                        s->reg[AGILE_REGISTER_bias]);
  RETURN_IF_ERROR(check_aligned(s, AGILE_REGISTER_bias_address));
  return agile_span_check(im, "'bias_address'", at, s->reg[AGILE_REGISTER_out_features] * sizeof(float),
                          1 << IMAGE_WEIGHTS | 1 << IMAGE_FEATURES);
}

/* A transformation that waits for more nodes than there is room for never begins. */
static status check_wait(const image *im, const agile_state *s) {
  const agile_device *d = &im->device.agile;
  uint64_t wait = s->reg[AGILE_REGISTER_wait_count];
  if (wait > (uint64_t)d->buffer_slots)
    return status_error(STATUS_CODE_format, "'wait_count' is %" PRIu64 ", the device has %d buffer slots", wait,
                        (int)d->buffer_slots);
  if (wait > (uint64_t)d->nodeslots)
    return status_error(STATUS_CODE_format, "'wait_count' is %" PRIu64 ", the device has %d nodeslots", wait,
                        (int)d->nodeslots);
  return STATUS_OK;
}

static status check_start(const image *im, const agile_state *s, uint64_t *looks) {
  static const int aligned[] = {AGILE_REGISTER_nodeslots, AGILE_REGISTER_adjacency_list, AGILE_REGISTER_scale_factors,
                                AGILE_REGISTER_in_messages, AGILE_REGISTER_out_features_address};
  for (size_t i = 0; i < sizeof aligned / sizeof *aligned; i++) RETURN_IF_ERROR(check_aligned(s, aligned[i]));
  for (int p = 1; p < AGILE_PRECISIONS; p++)
    if (s->reg[AGILE_REGISTER_precisions] >> p & 1)
      RETURN_IF_ERROR(check_scale("x_scale_", p, agile_state_x_scale(s, p)));
  if (s->reg[AGILE_REGISTER_precisions] >> 1)
    RETURN_IF_ERROR(check_scale("s_scale", -1, agile_state_real(s, AGILE_REGISTER_s_scale)));
  if (agile_row_beats(s->reg[AGILE_REGISTER_in_features]) > (uint64_t)im->device.agile.message_queue_beats)
    return status_error(STATUS_CODE_format, "messages of %" PRIu64 " features, the message queue has %d beats",
                        s->reg[AGILE_REGISTER_in_features], (int)im->device.agile.message_queue_beats);
  RETURN_IF_ERROR(check_bias(im, s));
  RETURN_IF_ERROR(check_wait(im, s));
  return agile_descs_check(im, s, looks);
}

static status check_record(const image *im, agile_state *s, uint64_t at, uint64_t *looks) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  bool is_last = at + AGILE_INSN_BYTES == code->size;
  agile_insn in;
  agile_action action;
  RETURN_IF_ERROR(isa_decode(&agile_isa, code->data + at, &in));
  if (is_last && in.op != AGILE_OP_halt)
    return status_error(STATUS_CODE_format, "%s is the last record, expected halt", isa_find(&agile_isa, in.op)->name);
  if (in.op == AGILE_OP_halt && !is_last)
    return status_error(STATUS_CODE_format, "halt before the last record, %" PRIu64 " bytes follow",
                        code->size - at - AGILE_INSN_BYTES);
  RETURN_IF_ERROR(agile_state_step(s, &in, &action));
  if (action == AGILE_ACTION_fetch) return check_fetch(im, s);
  return action == AGILE_ACTION_start ? check_start(im, s, looks) : STATUS_OK;
}

status agile_image_check(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  agile_state s = {0};
  uint64_t looks = 0;
  for (uint64_t at = 0; at < code->size; at += AGILE_INSN_BYTES) {
    status failed = check_record(im, &s, at, &looks);
    if (failed) return status_context(failed, "record at 0x%" PRIx64, code->address + at);
  }
  return STATUS_OK;
}

/* Whether a layer begins or ends in front of a record. */
static status check_border(const image *im, uint64_t record) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  agile_insn in;
  if (record == 0 || record * AGILE_INSN_BYTES == code->size) return STATUS_OK;
  RETURN_IF_ERROR(isa_decode(&agile_isa, code->data + record * AGILE_INSN_BYTES, &in));
  if (in.op == AGILE_OP_layer || in.op == AGILE_OP_halt) return STATUS_OK;
  return status_error(STATUS_CODE_format, "record %" PRIu64 " is in the middle of a layer", record);
}

status agile_run_check(const image *im, uint64_t first, uint64_t end) {
  uint64_t count = im->sections[IMAGE_TEXT].size / AGILE_INSN_BYTES;
  if (first > end || end > count)
    return status_error(STATUS_CODE_format, "records %" PRIu64 " to %" PRIu64 ", '.text' has %" PRIu64, first, end,
                        count);
  RETURN_IF_ERROR(check_border(im, first));
  return check_border(im, end);
}
