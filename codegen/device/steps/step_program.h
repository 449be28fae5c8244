/* Builds a program as a list of steps: operations that a machine executes one by one, and all
 * others on the host. Values are arrays of the host; steps move the operands of a machine to its
 * memory, and its results back. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_PROGRAM_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_PROGRAM_H

#include "codegen/device/program_manifest.h"
#include "codegen/device/program_rows.h"
#include "codegen/device/steps/step_writer.h"
#include "support/diag.h"

typedef struct step_program step_program;

/* What a machine with values of its own in device memory wants to know (chain.h). */
typedef struct step_program_hooks {
  /* A step of the host, or an output, is about to read a value. */
  void (*needs_on_host)(step_program *p, MlirValue value, void *user);
  /* The steps or records of an operation were written. */
  void (*done)(step_program *p, MlirOperation op, void *user);
} step_program_hooks;

struct step_program {
  arena *arena;
  program_host *host;
  MlirOperation function;
  step_writer steps;
  program_rows rows;
  program_manifest *manifest;
  const step_program_hooks *hooks; /* NULL: values of the host are always up to date */
  void *hooks_user;
};

step_program step_program_begin(arena *a, program_host *host, MlirModule module, program_manifest *manifest,
                                bool no_data);

/* Compiles an operation that the machine executes (place.h): writes its records, and adds moves and
 * runs to p->steps. */
typedef status step_program_execute(step_program *p, MlirOperation op, void *user);

/* Adds inputs, all operations in their order, and outputs. Errors name the place in the model.
 * `execute` may be NULL where all operations are on the host. */
status step_program_walk(step_program *p, step_program_execute *execute, void *user);

/* Adds the sections that are the same for all machines: constants and edge lists of steps, orders
 * of rows, the source text (may be NULL). The other sections of `out` are unchanged. */
status step_program_finish(step_program *p, const char *source_text, image *out);

/* Describes an operation of the device in the manifest, for people and statistics; layers are in the
 * order of their numbers in the records. */
void step_program_describe(step_program *p, MlirOperation op, const char *kind, int64_t blocks, uint64_t multiply_adds);

/* Whether the sections of an image, of which .text is the last one, fit in the memory of its device;
 * else reports how much is missing at the line of the model. */
bool step_program_fits(const step_program *p, const image *im, diag *d);

#endif
