/* Host steps: computations of the host between runs of the device, as the manifest of a program
 * lists them. Arrays of the host are fp32 and row-major, with the rows in the order of their set on
 * the device.
 *
 *   "arrays":     [{"name": "h", "rows": 34, "width": 16}, {"name": "W", "rows": 34, "width": 16, "data": 0}]
 *   "edge_lists": [{"name": "in", "from_rows": 34, "to_rows": 34, "edges": 190, "src": 2176, "dst": 2936, "weight": 3696}]
 *   "steps":      [{"op": "gemm", "in": 2, "weights": 1, "out": 0, "functions": ["relu"]}, {"op": "relayout", "in": 0, "place": {...}}, {"run": [0, 12]}]
 *
 * data, src, dst and weight are byte offsets in section .gnnc.lists. The reader checks everything:
 * afterwards all indices are in range, shapes fit together, and the ends of edges are rows. */
#ifndef GNNC_RUNTIME_STEPS_STEPS_H
#define GNNC_RUNTIME_STEPS_STEPS_H

#include "kernels/sddmm.h"
#include "kernels/spmm.h"
#include "runtime/layout.h"
#include "sim/sim.h"
#include "support/arena.h"

#include <jansson.h>

typedef struct step_array {
  const char *name;
  int64_t rows, width;
  const float *data; /* of constants, in .gnnc.lists; NULL: an input, or the result of a step */
  bool is_constant;  /* true also if the image has no data */
  bool is_kept;      /* an input or output of the program, which lives as long as the session */
  bool is_input;     /* the runtime writes it before the first step */
  int32_t last;      /* index of the last step that reads it; -1: none */
} step_array;

typedef struct step_edge_list {
  const char *name;
  int64_t from_rows, to_rows, edges;
  const int32_t *src, *dst; /* [edges]; NULL if the image has no data */
  const float *weight;      /* [edges]; NULL: all are 1, or the image has no data */
  bool has_weight;
  bool is_copy; /* at most one edge per destination, without weights: a sum over it copies rows */
} step_edge_list;

/* The place of a tensor in the memory of the device. */
typedef struct step_place {
  const layout *layout;
  layout_tensor tensor;
  const uint64_t *addresses; /* one per part of the layout */
  uint64_t part_bytes;
} step_place;

typedef enum step_op {
  STEP_run,
  STEP_gemm,
  STEP_spmm,
  STEP_sddmm,
  STEP_vadd,
  STEP_map,
  STEP_columns,
  STEP_concat,
  STEP_outer_sum,
  STEP_lookup,
  STEP_relayout,
  STEP_OPS
} step_op;

enum { STEP_MAX_OPERANDS = 4 };

/* A step. Operands are indices of arrays, -1 for none, in this order: gemm x, weights, bias,
 * addend; spmm x, values, bias, addend; sddmm src, dst, values; vadd a, b, condition; map and
 * columns x; concat and outer_sum a, b; lookup table, index; relayout x (to the device). */
typedef struct program_step {
  step_op op;
  const char *name; /* name of the result in the model, or "" */
  int64_t line;
  int32_t in[STEP_MAX_OPERANDS], out;
  elementwise_call *functions; /* applied to the result, in order */
  int32_t num_functions;
  union {
    struct {
      uint64_t first, end; /* [first, end) of the records of .text */
    } run;
    struct {
      bool is_transposed, skips_zeros;
      int64_t types;          /* 1, or the number of segments of rows, each with its own matrix */
      const int64_t *offsets; /* [types + 1] */
    } gemm;
    struct {
      int32_t list;
      kernel_reduction reduction;
    } spmm;
    struct {
      int32_t list;
      int64_t heads;
      kernel_inner inner;
      elementwise_binary combine; /* BINARY_none: replace */
    } sddmm;
    struct {
      elementwise_binary function; /* BINARY_none: select */
      float scale;                 /* factor of b */
    } vadd;
    struct {
      int64_t begin;
    } columns;
    struct {
      int64_t rows, column;
      double low, high; /* infinite where there is no bound */
      bool is_each;     /* row r of the index has the table in row r */
    } lookup;
    step_place place; /* of a relayout */
  };
} program_step;

typedef struct program_steps {
  step_array *arrays;
  int32_t num_arrays;
  step_edge_list *lists;
  int32_t num_lists;
  program_step *steps; /* one run of the whole program if the manifest has no "steps" */
  int32_t num_steps;   /* 0: the outputs are inputs or constants */
  bool has_host;       /* some step is not a run */
  bool has_data;       /* constants and edge lists are in the image */
} program_steps;

/* Reads "arrays", "edge_lists" and "steps" of a manifest into the arena. The other sections of the
 * image must be checked already. Fails for steps that are broken or do not fit together. */
status steps_read(arena *a, const image *im, const json_t *root, program_steps *out);

/* Read parts of a manifest. steps_read_place reads a place from an object with "layout" (`fallback`
 * if it has none), "stride", and "address" or "addresses"; the caller has set rows and width. The
 * parts must lie in .features or, if they are only read or the layout fills them in, in .weights.
 * Where the layout folds, it also reads "rows", those of memory, and "order", their indices.
 * Otherwise steps_read_order reads "order", a permutation of the rows; NULL if it is missing or
 * null. */
typedef struct steps_reader steps_reader;
status steps_read_place(steps_reader *r, const json_t *from, const char *fallback, bool is_written, step_place *out);
status steps_read_order(steps_reader *r, const json_t *from, int64_t rows, const int32_t **out);

/* Returns a reader for the places of a manifest; it lives as long as the arena. */
steps_reader *steps_reader_create(arena *a, const image *im);

/* Checks that the shapes and indices of a step fit together. */
status steps_check(const program_steps *p, const program_step *s);

/* Checks that each array that a step reads, and each output, is a constant, an input, or the result
 * of an earlier step. */
status steps_check_made(arena *a, const program_steps *p);

/* The cost of a step: FLOPs by the rules of passes/cost/gnn_cost.def, and the bytes of operands,
 * results and edge lists, each read or written once. A relayout has the bytes of the link, and the
 * additions of a fold as FLOPs. */
typedef struct step_cost {
  double flops, bytes;
  double multiply_adds; /* terms of products, of sums over edges, and of inner products */
} step_cost;
step_cost steps_cost(const program_steps *p, const program_step *s);

/* ---- running ---- */

typedef struct steps_state steps_state;

/* Sees what a run computes. `take` gets each array that a host step has written, with its rows in the
 * order of the device. `run` executes records of the device in place of sim_run_records, and may stop
 * in between; NULL: the runtime does. */
typedef struct steps_observer {
  void *user;
  void (*take)(void *user, const step_array *array, const float *rows);
  status (*run)(void *user, sim *on, uint64_t first, uint64_t end);
} steps_observer;

/* Sets the observer of later runs, which lives as long as they take; NULL: none. */
void steps_observe(steps_state *s, const steps_observer *observer);

/* Creates the state of a run; arrays with is_kept are allocated at once. On failure *out may be a
 * partial state, which the caller destroys too. Destroy accepts NULL. */
status steps_create(const program_steps *p, steps_state **out);
void steps_destroy(steps_state *s);

/* Returns the numbers of an array that is an input or output. */
float *steps_array(steps_state *s, int32_t array);

/* Runs all steps in order; steps_check_made must have accepted the program. The simulator executes
 * the runs; host work and transfers are counted in `stats`. In timing-only mode host steps are only
 * counted. */
status steps_run(steps_state *s, sim *on, bool is_timing_only, sim_host_stats *stats);

/* Copies between a place in the memory of the device and dense rows of the user. From a place whose
 * layout folds, rows that are in several rows of memory are their sum in the order of memory, and
 * rows that are in none are 0. */
status steps_move(const step_place *place, const char *name, sim *on, float *rows, bool to_device);

#endif
