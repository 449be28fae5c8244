/* Programs for the overlay: an image, what its manifest says of inputs and outputs, and runs of it on the simulated device.
 *
 *   overlay_open("gcn.bin", &p);  overlay_session_create(p, &request, &s);  overlay_session_run(s);  overlay_session_read(s, set);
 *
 * The runtime writes the inputs into device memory, in the device's order of rows and layout (fiber q of a tensor begins q * stride rows of 4 * width bytes
 * behind its address), and brings the outputs back into the user's order and shape. */
#ifndef GNNC_RUNTIME_OVERLAY_H
#define GNNC_RUNTIME_OVERLAY_H

#include "data/graph.h"
#include "data/tensor.h"
#include "sim/sim.h"

enum { OVERLAY_MAX_RANK = 5 };

typedef struct overlay_tensor {
  const char *name, *from; /* from: the field in its file (inputs) */
  const char *domain;      /* outputs: "node", "edge", "graph", "plain", ...; inputs: the row set */
  bool has_rows;           /* the user's tensor is [rows, dims...], else [dims...] */
  bool is_weight;          /* an input that the compiler wrote; the runtime leaves it alone */
  bool is_values;          /* a number per edge and head; else rows of fibers */
  int64_t rows;            /* device rows, or edges */
  int32_t rank;            /* of one row */
  int64_t dims[OVERLAY_MAX_RANK];
  int64_t width;             /* product of dims; heads of values */
  int64_t stride;            /* rows of a fiber, of 4 * device.width bytes */
  const uint64_t *addresses; /* one; values: one per head */
  const int32_t *order;      /* [rows] the user's index of each row, NULL: the same */
} overlay_tensor;

/* A field of the graph that is part of the program: sparse features, "batch", "node_type". */
typedef struct overlay_baked {
  const char *from;
  uint64_t fingerprint;
} overlay_baked;

/* A size that was given when the program was compiled (gnnc --dim). */
typedef struct overlay_dim {
  const char *name;
  int64_t value;
} overlay_dim;

typedef struct overlay_program {
  arena *memory;
  const char *path;
  image image;
  const char *model;
  const overlay_tensor *inputs, *outputs;
  int32_t num_inputs, num_outputs;
  const overlay_baked *baked;
  int32_t num_baked;
  const overlay_dim *dims;
  int32_t num_dims;
  const char *const *sources; /* of a model with imports: the main file, which imports "import1.gnn" .., and these */
  int32_t num_sources;        /* 0: section .gnnc.source is all there is */
  bool has_data;              /* edges and weights are in the image; without it can only be timed */
} overlay_program;

/* Whether a file is a program image: ELF with machine EM_NONE. False also where it cannot be read. */
bool overlay_is_image(const char *path);

/* Opens and checks all of an image and its manifest; owned by the caller. Messages name the file. */
status overlay_open(const char *path, overlay_program **out);
void overlay_close(overlay_program *p);

typedef struct overlay_request {
  const graph *graph;     /* NULL where only time is asked for, or the program has no inputs and no graph */
  const device *machine;  /* NULL: the image's; differs from it in fields that only time */
  sim_options simulation; /* with is_timing_only neither inputs nor outputs are touched */
} overlay_request;

typedef struct overlay_session overlay_session;

/* Checks that program, graph and machine belong together (both values in the message), and makes the device. Program and graph are kept. */
status overlay_session_create(const overlay_program *p, const overlay_request *request, overlay_session **out);
void overlay_session_destroy(overlay_session *s);

/* Writes the inputs and runs the program. Fails on inputs of another shape or type, and on a fault of the device. */
status overlay_session_run(overlay_session *s);

/* Adds each output to the set, f32, under its name, in the user's order and shape. */
status overlay_session_read(overlay_session *s, tensor_set *outputs);

/* Of the last run; lives until the next. */
const sim_stats *overlay_session_statistics(const overlay_session *s);

/* The device it ran on. */
const device *overlay_session_machine(const overlay_session *s);

#endif
