/* Runs programs of FusedGCN: the fixture of the isa room, and a device in a given state. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_FUSEDGCN_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_FUSEDGCN_FIXTURE_H

#include "test/unit/isa/isa_fusedgcn_fixture.h"

#define TRIAL_MACHINE fusedgcn
#include "sim_trial.h"

/* A device of K x M PEs. */
__attribute__((unused)) static device array_of(int rows, int columns) {
  device d;
  device_default(&d, &fusedgcn_machine);
  d.fusedgcn.rows = rows;
  d.fusedgcn.columns = columns;
  return d;
}

__attribute__((unused)) static trial *trial_begin(const device *d, uint64_t n, uint64_t h_rows, uint64_t i, uint64_t o,
                                                  const int *nonzeros) {
  trial *t = trial_make();
  fusedgcn_program_begin(&t->p, t->memory, d, n, h_rows, i, o, nonzeros);
  return t;
}

__attribute__((unused)) static fusedgcn_layer *trial_layer(trial *t) {
  return fusedgcn_program_layer(&t->p);
}

__attribute__((unused)) static uint64_t trial_cycles(trial *t, sim_level level) {
  t->options.level = level;
  trial_create(t);
  return trial_run(t)->cycles;
}

/* The numbers of H and OUT in the device's memory. */
__attribute__((unused)) static uint16_t *trial_h(trial *t, uint64_t row, uint64_t column) {
  const fusedgcn_layer *in = trial_layer(t);
  return sim_memory(t->sim, in->h + (row * in->h_stride + column) * 2, 2);
}

__attribute__((unused)) static uint16_t *trial_out(trial *t, uint64_t row, uint64_t column) {
  const fusedgcn_layer *in = trial_layer(t);
  return sim_memory(t->sim, in->out + (row * in->out_stride + column) * 2, 2);
}

#endif
