/* Runs programs of FusedGCN: the fixture of the isa room, and a device in a given state. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_FUSEDGCN_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_FUSEDGCN_FIXTURE_H

#include "sim/sim.h"
#include "test/unit/isa/isa_fusedgcn_fixture.h"
#include "unit.h"

typedef struct trial {
  arena *memory;
  fusedgcn_program p;
  sim_options options;
  sim *sim;
} trial;

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
  trial *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->memory = arena_create();
  fusedgcn_program_begin(&t->p, t->memory, d, n, h_rows, i, o, nonzeros);
  t->options.level = SIM_L1;
  return t;
}

__attribute__((unused)) static void trial_end(trial *t) {
  sim_destroy(t->sim);
  arena_destroy(t->memory);
  free(t);
}

__attribute__((unused)) static fusedgcn_layer *trial_layer(trial *t) {
  return fusedgcn_program_layer(&t->p);
}

/* Checks the program and creates the device; inputs are written before trial_run. */
__attribute__((unused)) static void trial_create(trial *t) {
  fusedgcn_program_pack(&t->p);
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
