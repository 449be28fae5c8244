/* Programs for simulated machines: the image of a program, the inputs, outputs and host steps in
 * its manifest, and runs of it.
 *
 *   program_open("gcn.bin", &p);  program_session_create(p, &request, &s);  program_session_run(s);  program_session_read(s, set);
 *
 * The runtime writes the inputs into the memory of the device, with the device's layout and order
 * of rows (runtime/layout.h), runs the steps, and returns the outputs in the user's order and
 * shape. */
#ifndef GNNC_RUNTIME_PROGRAM_H
#define GNNC_RUNTIME_PROGRAM_H

#include "data/graph.h"
#include "data/tensor.h"
#include "runtime/steps/steps.h"
#include "sim/sim.h"

enum { PROGRAM_MAX_RANK = 5 };

typedef struct program_tensor {
  const char *name, *from; /* from: name of the field in its file (inputs) */
  const char *domain;      /* outputs: "node", "edge", "graph", "plain", ...; inputs: "input" */
  bool has_rows;           /* the user's tensor is [rows, dims...]; false: [dims...] */
  bool is_weight;          /* an input whose data are in the image; the runtime does not write it */
  bool is_integer;         /* inputs: the field has whole numbers */
  const int32_t *ranges;   /* of integers, the smallest and the largest value of each element; NULL: any */
  bool is_values;          /* one number per edge and head; false: rows of fibers */
  int64_t rows;            /* rows on the device, or edges */
  int32_t rank;            /* rank of one row */
  int64_t dims[PROGRAM_MAX_RANK];
  int64_t width;        /* product of dims; number of heads for values */
  const int32_t *order; /* [rows] the user's index of each row; NULL: the same */
  bool is_on_device;
  step_place place; /* the place on the device */
  int32_t array;    /* index of the array of the host; -1: none */
} program_tensor;

/* A field of the graph that the program contains: sparse features, "batch", "node_type". */
typedef struct program_baked {
  const char *from;
  uint64_t fingerprint;
} program_baked;

/* A size that was given to the compiler (gnnc --dim). */
typedef struct program_dim {
  const char *name;
  int64_t value;
} program_dim;

typedef struct program_binary {
  arena *memory;
  const char *path;
  image image;
  bool is_borrowed; /* the image belongs to the caller */
  const char *model;
  const program_tensor *inputs, *outputs;
  int32_t num_inputs, num_outputs;
  const program_baked *baked;
  int32_t num_baked;
  const program_dim *dims;
  int32_t num_dims;
  const char *const *sources; /* of a model with imports: the main file, which imports "import1.gnn" .., then these */
  int32_t num_sources;        /* 0: section .gnnc.source is the whole source */
  program_steps steps;
  double tolerance;             /* of comparisons, relative to the largest number */
  int64_t useful_multiply_adds; /* of the model on its graph, the same for every machine; 0: unknown */
  bool has_data; /* edges, weights and lists are in the image; without them the program can only be timed */
} program_binary;

/* Opens an image and checks it and its manifest completely. The caller owns the program and closes
 * it with program_close, which accepts NULL. Messages name the file. */
status program_open(const char *path, program_binary **out);
/* The same for an image in memory, which must live as long as the program; `name` is for messages. */
status program_open_image(const char *name, const image *im, program_binary **out);
void program_close(program_binary *p);

typedef struct program_request {
  const graph *graph;             /* may be NULL if is_timing_only, or if the program has neither inputs nor a graph */
  const device *machine;          /* NULL: that of the image; may differ from it in fields for timing only */
  const steps_observer *observer; /* of the run; NULL: none */
  sim_options simulation;         /* with is_timing_only neither inputs nor outputs are accessed */
} program_request;

typedef struct program_session program_session;

/* Checks that program, graph and machine fit together (messages give both values), and creates the
 * device. The session keeps references to program and graph; the caller owns it. Destroy accepts
 * NULL. */
status program_session_create(const program_binary *p, const program_request *request, program_session **out);
void program_session_destroy(program_session *s);

/* Writes the inputs and runs the program. Fails for inputs of a wrong shape or type, and for a
 * fault of the device. */
status program_session_run(program_session *s);

/* Adds each output to the set as f32, under its name, in the user's order and shape. Fails with
 * is_timing_only. */
status program_session_read(program_session *s, tensor_set *outputs);

/* Returns the statistics of the last run, valid until the next run. */
const sim_stats *program_session_statistics(const program_session *s);

/* Returns the statistics of the host in that run. */
const sim_host_stats *program_session_host_statistics(const program_session *s);

/* Returns the device of the session. */
const device *program_session_machine(const program_session *s);

#endif
