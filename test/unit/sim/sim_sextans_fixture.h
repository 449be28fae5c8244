/* Runs programs of Sextans: the fixture of the isa room, and a device in a given state. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_SEXTANS_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_SEXTANS_FIXTURE_H

#include "sim/sim.h"
#include "test/unit/isa/isa_sextans_fixture.h"
#include "unit.h"

typedef struct trial {
  arena *memory;
  sextans_program p;
  sim_options options;
  sim *sim;
} trial;

__attribute__((unused)) static trial *trial_begin(uint64_t m, uint64_t k, uint64_t n, int windows, const int *slots,
                                                  const device *d) {
  trial *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->memory = arena_create();
  sextans_program_begin(&t->p, t->memory, m, k, n, windows, slots);
  if (d) t->p.image.device = *d;
  t->options.level = SIM_L1;
  return t;
}

__attribute__((unused)) static void trial_end(trial *t) {
  sim_destroy(t->sim);
  arena_destroy(t->memory);
  free(t);
}

__attribute__((unused)) static sextans_spmm *trial_launch(trial *t) {
  return sextans_program_launch(&t->p);
}

/* Checks the program and creates the device; inputs are written before trial_run. */
__attribute__((unused)) static void trial_create(trial *t) {
  sextans_program_pack(&t->p);
  CHECK_OK(image_check(&t->p.image));
  sim_destroy(t->sim);
  t->sim = NULL;
  CHECK_OK(sim_create(&t->p.image, &t->p.image.device, &t->options, &t->sim));
}

/* Runs the program once more; creates the device before the first run. */
__attribute__((unused)) static status trial_try(trial *t) {
  if (!t->sim) trial_create(t);
  return sim_run(t->sim);
}

__attribute__((unused)) static const sim_stats *trial_run(trial *t) {
  CHECK_OK(trial_try(t));
  return sim_statistics(t->sim);
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
