/* Writes host steps, the operations of the device level that the host executes, into the manifest
 * of a program, with their constants and edge lists.
 *
 *   "arrays":     [{"name": "h", "rows": 34, "width": 16}, {"name": "W", "rows": 34, "width": 16, "data": 0}]
 *   "edge_lists": [{"name": "in", "from_rows": 34, "to_rows": 34, "edges": 190, "src": 2176, "dst": 2936, "weight": 3696}]
 *   "steps":      [{"run": [0, 12]}, {"op": "relayout", "out": 0, "place": {...}}, {"op": "gemm", "in": 0, "weights": 1, "out": 2, "functions": ["relu"]}]
 *
 * Arrays are fp32, row after row, rows in the order of their set on the device, values of edges in
 * the order of their edge list. data, src, dst and weight are byte offsets in section .gnnc.lists.
 * docs/architecture.md describes each step. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_WRITER_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_WRITER_H

#include "codegen/device/host/host.h"
#include "isa/image/image.h"
#include "support/map.h"
#include "support/text.h"
#include "support/vec.h"

typedef struct step_chunk {
  const void *data;
  int64_t bytes;
} step_chunk;

typedef struct step_writer {
  arena *arena;
  program_host *host;
  bool no_data; /* constants and edge lists are counted only */
  status error; /* the first error; later calls do nothing */
  text arrays, lists, steps;
  int32_t num_arrays, num_lists, num_steps;
  map array_of;           /* SSA value -> 1 + number of its array */
  map list_of;            /* device.edges -> 1 + number of its list */
  VEC(step_chunk) chunks; /* of .gnnc.lists */
  int64_t bytes;
} step_writer;

step_writer step_writer_begin(arena *a, program_host *host, bool no_data);

/* Returns the array of a value of rows or values of edges: constants have their data, other arrays
 * are made by a step or written by the runtime. -1 with w->error. */
int32_t step_writer_array(step_writer *w, MlirValue value);

/* The same, but -1 where the value has no array yet. */
int32_t step_writer_find(const step_writer *w, MlirValue value);

/* Returns the array from which the runtime reads a value: the value's own array, or a copy where
 * that is a constant. */
int32_t step_writer_output(step_writer *w, MlirValue value);

/* Adds the step of an operation: gemm, spdmm, layer (two steps), sddmm, lookup, vadd, scaled_add, values_vadd, map, columns,
 * concat. Constants, inputs, outputs and edge lists are no steps. */
void step_writer_add(step_writer *w, MlirOperation op);

/* Adds a step that runs records [first, end) of .text on the device. */
void step_writer_run(step_writer *w, uint64_t first, uint64_t end);

/* Adds a step that moves rows from the device, or to it; `place` has the members of its place:
 * "layout":"fibers","address":4096,... */
void step_writer_move(step_writer *w, MlirValue value, const char *place, bool to_device);

/* The same for an array that is no value of the program, such as a constant of step_add_constant
 * (step_private.h); `name` is for people. */
void step_writer_move_array(step_writer *w, int32_t array, const char *name, const char *place, bool to_device);

/* Add steps of arrays that are no values of the program, for operation `op`: out = function(a, b)
 * for a function of two numbers, with b of as many rows or of one; the columns of `in` from `begin`
 * on, as many as `out` has; the columns of a, then those of b. */
void step_writer_combine(step_writer *w, MlirOperation op, const char *function, int32_t a, int32_t b, int32_t out);
void step_writer_take_columns(step_writer *w, MlirOperation op, int32_t in, int64_t begin, int32_t out);
void step_writer_join(step_writer *w, MlirOperation op, int32_t a, int32_t b, int32_t out);

/* Returns the error and clears it, so that the writer continues. */
status step_writer_take_error(step_writer *w);

/* Appends ,"arrays":[..],"edge_lists":[..],"steps":[..] to a manifest and sets the image's
 * .gnnc.lists; fails with w->error or where there is no memory. Frees the texts. */
status step_writer_end(step_writer *w, text *json, image *out);

#endif
