/* Programs for simulated machines: an image, what its manifest says of inputs, outputs and host
 * steps, and runs of it.
 *
 *   program_open("gcn.bin", &p);  program_session_create(p, &request, &s);  program_session_run(s);  program_session_read(s, set);
 *
 * The runtime writes the inputs into device memory, in the device's order of rows and layout
 * (runtime/layout.h), runs the steps, and brings the outputs back into the user's order and
 * shape. */
#ifndef GNNC_RUNTIME_PROGRAM_H
#define GNNC_RUNTIME_PROGRAM_H

#include "data/graph.h"
#include "data/tensor.h"
#include "runtime/steps/steps.h"
#include "sim/sim.h"

enum { PROGRAM_MAX_RANK = 5 };

typedef struct program_tensor {
  const char *name, *from; /* from: the field in its file (inputs) */
  const char *domain;      /* outputs: "node", "edge", "graph", "plain", ...; inputs: the row set */
  bool has_rows;           /* the user's tensor is [rows, dims...], else [dims...] */
  bool is_weight;          /* an input that the compiler wrote; the runtime leaves it alone */
  bool is_values;          /* a number per edge and head; else rows of fibers */
  int64_t rows;            /* device rows, or edges */
  int32_t rank;            /* of one row */
  int64_t dims[PROGRAM_MAX_RANK];
  int64_t width;        /* product of dims; heads of values */
  const int32_t *order; /* [rows] the user's index of each row, NULL: the same */
  bool is_on_device;
  step_place place; /* there */
  int32_t array;    /* of the host, -1: none */
} program_tensor;

/* A field of the graph that is part of the program: sparse features, "batch", "node_type". */
typedef struct program_baked {
  const char *from;
  uint64_t fingerprint;
} program_baked;

/* A size that was given when the program was compiled (gnnc --dim). */
typedef struct program_dim {
  const char *name;
  int64_t value;
} program_dim;

typedef struct program_binary {
  arena *memory;
  const char *path;
  image image;
  const char *model;
  const program_tensor *inputs, *outputs;
  int32_t num_inputs, num_outputs;
  const program_baked *baked;
  int32_t num_baked;
  const program_dim *dims;
  int32_t num_dims;
  const char *const *sources; /* of a model with imports: the main file, which imports "import1.gnn" .., and these */
  int32_t num_sources;        /* 0: section .gnnc.source is all there is */
  program_steps steps;
  bool has_data; /* edges, weights and lists are in the image; without it can only be timed */
} program_binary;

/* Opens and checks all of an image and its manifest; owned by the caller. Messages name the
 * file. */
status program_open(const char *path, program_binary **out);
void program_close(program_binary *p);

typedef struct program_request {
  const graph *graph;     /* NULL where only time is asked for, or the program has no inputs and no graph */
  const device *machine;  /* NULL: the image's; differs from it in fields that only time */
  sim_options simulation; /* with is_timing_only neither inputs nor outputs are touched */
} program_request;

typedef struct program_session program_session;

/* Checks that program, graph and machine belong together (both values in the message), and makes
 * the device. Program and graph are kept. */
status program_session_create(const program_binary *p, const program_request *request, program_session **out);
void program_session_destroy(program_session *s);

/* Writes the inputs and runs the program. Fails on inputs of another shape or type, and on a fault
 * of the device. */
status program_session_run(program_session *s);

/* Adds each output to the set, f32, under its name, in the user's order and shape. */
status program_session_read(program_session *s, tensor_set *outputs);

/* Of the last run; lives until the next. */
const sim_stats *program_session_statistics(const program_session *s);

/* Of the host in that run. */
const sim_host_stats *program_session_host_statistics(const program_session *s);

/* The device it ran on. */
const device *program_session_machine(const program_session *s);

#endif
