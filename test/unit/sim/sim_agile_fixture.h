/* Runs programs of AGILE: the fixture of the isa room, and a device in a given state. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_AGILE_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_AGILE_FIXTURE_H

#include "test/unit/isa/isa_agile_fixture.h"

#define TRIAL_MACHINE agile
#include "sim_trial.h"

__attribute__((unused)) static trial *trial_begin(uint64_t nodes, uint64_t messages, uint64_t f, uint64_t o) {
  trial *t = trial_make();
  agile_program_begin(&t->p, t->memory, nodes, messages, f, o);
  return t;
}

__attribute__((unused)) static agile_device *trial_device(trial *t) {
  return &t->p.image.device.agile;
}

/* Cycles of a run, without the fetch of weights. */
__attribute__((unused)) static uint64_t trial_cycles(trial *t) {
  uint64_t f = t->p.reg[AGILE_REGISTER_in_features], o = t->p.reg[AGILE_REGISTER_out_features];
  trial_create(t);
  return trial_run(t)->cycles - o * (2 + (uint64_t)trial_device(t)->ddr_latency + agile_row_beats(f) * 17);
}

__attribute__((unused)) static uint64_t trial_counter(const trial *t, const char *name) {
  const sim_stats *s = sim_statistics(t->sim);
  for (int32_t i = 0; i < s->num_counters; i++)
    if (!strcmp(s->counters[i].name, name)) return s->counters[i].value;
  CHECK_STR("no such counter", name);
  return 0;
}

/* The numbers of a message, and of a result. */
__attribute__((unused)) static float *trial_message(trial *t, uint64_t row) {
  uint64_t bytes = agile_row_bytes(t->p.reg[AGILE_REGISTER_in_features]);
  return sim_memory(t->sim, AGILE_AT_FEATURES + row * bytes, bytes);
}

__attribute__((unused)) static float *trial_result(trial *t, uint64_t node) {
  uint64_t bytes = agile_row_bytes(t->p.reg[AGILE_REGISTER_out_features]);
  return sim_memory(t->sim, t->p.reg[AGILE_REGISTER_out_features_address] + node * bytes, bytes);
}

/* Numbers with many digits, so that each order of sums has other bits. */
__attribute__((unused)) static float trial_number(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return (float)((double)(*seed >> 8) / (1 << 23) - 1) * 1.7f;
}

#endif
