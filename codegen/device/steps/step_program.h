/* A program as a list of steps: operations that a machine takes one by one, and all others on the
 * host. Values are arrays of the host; a machine moves to its memory what it reads, and back what
 * it makes. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_PROGRAM_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_PROGRAM_H

#include "codegen/device/program_manifest.h"
#include "codegen/device/program_rows.h"
#include "codegen/device/steps/step_writer.h"

typedef struct step_program {
  arena *arena;
  program_host *host;
  MlirOperation function;
  step_writer steps;
  program_rows rows;
  program_manifest *manifest;
} step_program;

step_program step_program_begin(arena *a, program_host *host, MlirModule module, program_manifest *manifest,
                                bool no_data);

/* What a machine does with an operation that is not on the host (place.h): it writes its records,
 * and adds moves and runs to p->steps. */
typedef status step_program_execute(step_program *p, MlirOperation op, void *user);

/* Inputs, all operations in their order, outputs. Failures name the place in the model. `execute`
 * may be NULL where all operations are on the host. */
status step_program_walk(step_program *p, step_program_execute *execute, void *user);

/* The sections that no machine decides: constants and edge lists of steps, orders of rows, the
 * source (may be NULL). The others of `out` stay. */
status step_program_finish(step_program *p, const char *source_text, image *out);

#endif
