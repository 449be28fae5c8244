/* A program and the device that runs it, for the unit tests of a simulator. The includer defines
 * TRIAL_MACHINE, the name of a machine whose fixture of the isa room has TRIAL_MACHINE_program and
 * TRIAL_MACHINE_program_pack, and writes trial_begin on top of trial_make. */
#include "sim/sim.h"
#include "unit.h"

#define TRIAL_NAME_(machine, what) machine##what
#define TRIAL_NAME(machine, what) TRIAL_NAME_(machine, what)

typedef struct trial {
  arena *memory;
  TRIAL_NAME(TRIAL_MACHINE, _program) p;
  device runs_on; /* the device that is simulated; its machine is NULL: that of the program */
  sim_options options;
  sim *sim;
} trial;

__attribute__((unused)) static trial *trial_make(void) {
  trial *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->memory = arena_create();
  t->options.level = SIM_L1;
  return t;
}

__attribute__((unused)) static void trial_end(trial *t) {
  sim_destroy(t->sim);
  arena_destroy(t->memory);
  free(t);
}

/* Checks the program and creates the device; inputs are written before trial_try. */
__attribute__((unused)) static void trial_create(trial *t) {
  TRIAL_NAME(TRIAL_MACHINE, _program_pack)(&t->p);
  CHECK_OK(image_check(&t->p.image));
  sim_destroy(t->sim);
  t->sim = NULL;
  CHECK_OK(sim_create(&t->p.image, t->runs_on.machine ? &t->runs_on : &t->p.image.device, &t->options, &t->sim));
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
