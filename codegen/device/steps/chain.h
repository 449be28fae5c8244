/* Values that stay in device memory from one operation of the device to the next: a machine that
 * writes rows as it reads them has no moves between its layers.
 *
 *   host step, layer, layer, host step   =>   relayout, run of both layers, relayout
 *
 * The chain knows for each value whether the device or the host has it, moves it where it is needed,
 * runs the records that were written so far before each move, and reuses the memory of values that
 * nobody reads any more. Section .features is at CHAIN_BASE, so that addresses of rows are known
 * while records are written. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_CHAIN_H
#define GNNC_CODEGEN_DEVICE_STEPS_CHAIN_H

#include "codegen/device/steps/step_program.h"

enum { CHAIN_BASE = 4096, CHAIN_ALIGNMENT = 64 };

/* How a machine keeps rows. */
typedef struct chain_class {
  uint64_t (*bytes)(void *user, MlirValue value);
  /* Sets the layout and its members, but no address. */
  void (*describe)(void *user, MlirValue value, program_manifest_place *out);
  uint64_t (*count_records)(const void *user);
} chain_class;

/* A part of .features. */
typedef struct chain_region {
  uint64_t offset, bytes;
} chain_region;

typedef struct chain {
  step_program *program;
  const chain_class *class;
  void *user;
  map values;             /* MLIR value -> chain_value */
  VEC(chain_region) free; /* by offset, never adjacent */
  uint64_t size;          /* of .features */
  uint64_t runs_from;     /* the first record that no step runs yet */
} chain;

chain chain_begin(step_program *p, const chain_class *class, void *user);
/* Has the steps of the host, and outputs, tell the chain what they read. The chain must not move
 * afterwards. */
void chain_attach(chain *c);

/* The address of a value that the device reads; moves it there where the host alone has it. */
uint64_t chain_read(chain *c, MlirValue value);
/* The address of a result that the device writes. */
uint64_t chain_write(chain *c, MlirValue value);
/* The same for a sum that begins with `addend`: its numbers are where the result will be. Where the
 * device has them elsewhere, and they are still needed there, *copy is that place, from which the
 * caller copies them; else 0. */
uint64_t chain_write_onto(chain *c, MlirValue value, MlirValue addend, uint64_t *copy);
/* Moves a value to a place of its own, in another form than the one in which the device keeps it. */
void chain_read_as(chain *c, MlirValue value, program_manifest_place place);
/* Whether the device makes or has a value. */
bool chain_has(const chain *c, MlirValue value);

/* Memory for other purposes; offsets count from the beginning of .features. */
chain_region chain_alloc(chain *c, uint64_t bytes);
void chain_free(chain *c, chain_region region);

/* Adds a step that runs the records that were written since the last one. Machines call it before
 * they add a move of their own, and at the end of the program. */
void chain_run(chain *c);

#endif
