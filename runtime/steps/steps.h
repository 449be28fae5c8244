/* Host steps: what the host computes between runs of the device, as a program's manifest says it.
 * Arrays of the host are fp32, row after row, in the order of their set's rows on the device.
 *
 *   "arrays":     [{"name": "h", "rows": 34, "width": 16}, {"name": "W", "rows": 34, "width": 16, "data": 0}]
 *   "edge_lists": [{"name": "in", "from_rows": 34, "to_rows": 34, "edges": 190, "src": 2176, "dst": 2936, "weight": 3696}]
 *   "steps":      [{"op": "gemm", "in": 2, "weights": 1, "out": 0, "functions": ["relu"]}, {"op": "relayout", "in": 0, "place": {...}}, {"run": [0, 12]}]
 *
 * data, src, dst, weight are byte offsets in section .gnnc.lists. The reader trusts nothing:
 * afterwards every index is in range, shapes fit together, and ends of edges are rows. */
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
  const float *data; /* of constants, in .gnnc.lists; NULL: made by steps, or an input */
  bool is_constant;  /* also where the image has no data */
  bool is_kept;      /* an input or output of the program: lives as long as the session */
  bool is_input;     /* the runtime writes it before the first step */
  int32_t last;      /* step that reads it last; -1: none */
} step_array;

typedef struct step_edge_list {
  const char *name;
  int64_t from_rows, to_rows, edges;
  const int32_t *src, *dst; /* [edges] NULL where the image has no data */
  const float *weight;      /* [edges], NULL: all are 1 */
  bool has_weight;
} step_edge_list;

/* Where a tensor is in the memory of the device. */
typedef struct step_place {
  const layout *layout;
  layout_tensor tensor;
  const uint64_t *addresses; /* one per part of the layout */
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
  STEP_relayout,
  STEP_OPS
} step_op;

enum { STEP_MAX_OPERANDS = 4 };

/* Arrays by number, -1 for none. Which is which: gemm x, weights, bias, addend; spmm x, values,
 * bias, addend; sddmm src, dst, values; vadd a, b, condition; map, columns x; concat a, b; relayout
 * x (to the device). */
typedef struct program_step {
  step_op op;
  const char *name; /* of what it makes in the model; "" */
  int64_t line;
  int32_t in[STEP_MAX_OPERANDS], out;
  elementwise_call *functions; /* done to the result, in order */
  int32_t num_functions;
  union {
    struct {
      uint64_t first, end; /* records of .text */
    } run;
    struct {
      bool is_transposed, skips_zeros;
      int64_t types;          /* 1, or one matrix per segment of rows */
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
      float scale;                 /* of b */
    } vadd;
    struct {
      int64_t begin;
    } columns;
    step_place place; /* of relayout */
  };
} program_step;

typedef struct program_steps {
  step_array *arrays;
  int32_t num_arrays;
  step_edge_list *lists;
  int32_t num_lists;
  program_step *steps; /* the whole program in one run where the manifest has no such list */
  int32_t num_steps;   /* 0: the program computes nothing, its outputs are inputs or constants */
  bool has_host;       /* a step that is not a run */
  bool has_data;       /* constants and edge lists are in the image */
} program_steps;

/* Reads "arrays", "edge_lists" and "steps" of a manifest, of an image whose other sections are
 * checked. In the arena. */
status steps_read(arena *a, const image *im, const json_t *root, program_steps *out);

/* A place from an object with "layout" (`fallback` where it says none), "stride", "address" or
 * "addresses"; rows and width are set. Its spans lie in .features, or .weights where only read.
 * "order" is read apart: a permutation, NULL where it is null. */
typedef struct steps_reader steps_reader;
status steps_read_place(steps_reader *r, const json_t *from, const char *fallback, bool is_written, step_place *out);
status steps_read_order(steps_reader *r, const json_t *from, int64_t rows, const int32_t **out);

/* A reader of places for those who read more of a manifest; lives as long as the arena. */
steps_reader *steps_reader_create(arena *a, const image *im);

/* Whether shapes and indices of a step fit together. */
status steps_check(const program_steps *p, const program_step *s);

/* Whether each array that a step reads, or that is an output, is a constant, an input or made by a
 * step before. */
status steps_check_made(arena *a, const program_steps *p);

/* What a step costs: FLOPs as passes/cost/gnn_cost.def counts them, bytes of arrays read and
 * written once each. */
typedef struct step_cost {
  double flops, bytes;
} step_cost;
step_cost steps_cost(const program_steps *p, const program_step *s);

/* ---- running ---- */

typedef struct steps_state steps_state;

/* Memory of arrays; kept ones are there at once. */
status steps_create(const program_steps *p, steps_state **out);
void steps_destroy(steps_state *s);

/* The numbers of an array that is an input or output. */
float *steps_array(steps_state *s, int32_t array);

/* All steps in order, of a program that steps_check_made took, runs on the simulator; counts host
 * work and transfers into `stats`. In timing-only mode host steps are counted, not done. */
status steps_run(steps_state *s, sim *on, bool is_timing_only, sim_host_stats *stats);

/* Between a place and dense rows, of the device's memory. */
status steps_move(const step_place *place, const char *name, sim *on, float *rows, bool to_device);

#endif
