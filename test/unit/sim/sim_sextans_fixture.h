/* Runs programs of Sextans: the fixture of the isa room, and a device in a given state. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_SEXTANS_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_SEXTANS_FIXTURE_H

#include "test/unit/isa/isa_sextans_fixture.h"

#define TRIAL_MACHINE sextans
#include "sim_trial.h"

__attribute__((unused)) static trial *trial_begin(uint64_t m, uint64_t k, uint64_t n, int windows, const int *slots,
                                                  const device *d) {
  trial *t = trial_make();
  sextans_program_begin(&t->p, t->memory, m, k, n, windows, slots);
  if (d) t->p.image.device = *d;
  return t;
}

__attribute__((unused)) static sextans_spmm *trial_launch(trial *t) {
  return sextans_program_launch(&t->p);
}

__attribute__((unused)) static uint64_t trial_cycles(trial *t, sim_level level) {
  t->options.level = level;
  trial_create(t);
  return trial_run(t)->cycles;
}

/* The numbers of B and C in the device's memory. */
__attribute__((unused)) static float *trial_b(trial *t, int64_t k, int64_t n) {
  const sextans_spmm *in = trial_launch(t);
  uint64_t channel = in->b + (uint64_t)sextans_b_channel(n) * in->b_stride;
  uint64_t index = (uint64_t)sextans_b_index(k, n, sextans_b_tile((int64_t)in->k));
  return sim_memory(t->sim, channel + index * sizeof(float), sizeof(float));
}

__attribute__((unused)) static float *trial_c(trial *t, uint64_t base, int64_t m, int64_t n) {
  const sextans_spmm *in = trial_launch(t);
  uint64_t channel = base + (uint64_t)sextans_c_channel(m) * in->c_stride;
  uint64_t index = (uint64_t)sextans_c_index(m, n, sextans_c_tile((int64_t)in->m));
  return sim_memory(t->sim, channel + index * sizeof(float), sizeof(float));
}

#endif
