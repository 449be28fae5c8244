/* A program of the overlay between its module and its instructions: tensors in DDR, edge lists,
 * and layers with their tiles. graphagile_read_module makes it from the device level,
 * graphagile_tile_layers chooses partitions and tiles by the cost model,
 * graphagile_layout_assign chooses the addresses, and emit.h writes the instructions.
 *
 * The folder uses the terms of the paper (GraphAGILE, Section VI-E and VI-F): fiber, shard,
 * subshard, Layer Block, Tiling Block, CSI. Its other terms are
 *
 *   layer         an operation of the device level, which becomes a Layer Block
 *   block         a Tiling Block: the instructions that one PE executes without a break
 *   fiber         device.width columns of a tensor, the last padded with zeros
 *   row           of memory or of a buffer: device.width numbers, one element's part of a fiber
 *   source tile   the source rows of a column of subshards (N1 rows)
 *   cell          a subshard: the edges from one source tile to one destination shard
 *   piece         the edges of a subshard, or a part of them where it has more than fit the Edge
 *                 Buffer; one descriptor each
 *   band          the destination shards of one block: one, or two consecutive ones
 *   group         the fibers of one block's result
 *   wave          blocks that run at the same time and share loads by broadcast
 *   values        numbers of edges, one per edge and head, in DDR or in the Edge Buffer
 *   link          a layer that computes values in the Edge Buffer, fused with an Aggregate
 *   window        a tensor that is some fibers of another one and has no memory of its own
 *   epilogue      an element-wise layer fused with the layer before */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_H

#include "codegen/graphagile/plan/plan_layer.h"
#include "codegen/graphagile/plan/plan_options.h"
#include "isa/image/image.h"
#include "support/diag.h"
#include "support/map.h"
#include "support/vec.h"

/* A result of the function. */
typedef struct graphagile_plan_output {
  graphagile_plan_tensor *tensor; /* NULL: the host makes it */
  size_t index;                   /* number of the result */
} graphagile_plan_output;

typedef struct graphagile_plan {
  arena *arena;
  MlirOperation module, function;
  program_host *host;
  const graphagile_options *options;
  const graphagile_device *device;
  diag *diag;
  bool failed;  /* a message was given */
  status error; /* memory ran out, or the host failed */
  const char *model;
  VEC(graphagile_plan_tensor *) tensors; /* with windows */
  VEC(graphagile_plan_edge_list *) edges;
  unsigned char *records; /* the .edges section, in memory of the host; NULL with no_data */
  VEC(graphagile_plan_layer) layers;
  VEC(graphagile_plan_output) outputs;
  map values;       /* from an SSA value to its graphagile_plan_tensor or graphagile_plan_edge_list */
  bool has_host;    /* some operations are executed by the host; then only values that the device needs are read */
  map permutations; /* from the name of a set to the graphagile_plan_permutation of its rows; others are in order */
  map needs;        /* of place_find_needs (place.h) */
  float *constants; /* the constant table, which instructions index */
  int num_constants;
  uint64_t sections[IMAGE_SECTIONS], sizes[IMAGE_SECTIONS]; /* address and bytes of each section */
  double floor;                                             /* in cycles, see cost_floor.h */
} graphagile_plan;

/* Bytes of a row of a fiber in DDR. */
static inline int64_t graphagile_plan_hidden_bytes(const graphagile_plan *p) {
  return p->device->width * (p->options->half ? 2 : 4);
}

/* Bytes of an edge that is not packed. */
static inline uint64_t graphagile_plan_weighted_bytes(const graphagile_plan *p) {
  return p->options->half ? GRAPHAGILE_SHORT_BYTES : GRAPHAGILE_RECORD_BYTES;
}

/* The index of a constant in the table; the constant is added on first use. Gives a message at
 * the layer where the table is full (1024 entries). */
int graphagile_plan_constant_index(graphagile_plan *p, const graphagile_plan_layer *layer, double value);

/* Gives a message at a layer's place in the model, or at the model itself where layer is NULL,
 * and marks the plan as failed. */
void graphagile_plan_fail(graphagile_plan *p, const graphagile_plan_layer *layer, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Keeps the first error in p->error; returns whether s is ok. */
bool graphagile_plan_check(graphagile_plan *p, status s);

/* The tensor of a value of rows or of edges; NULL for a null value. */
graphagile_plan_tensor *graphagile_plan_find_tensor(graphagile_plan *p, MlirValue value);

/* The permutation of a set's rows; NULL where the device has them in the order of the host, and for
 * a NULL set. */
const graphagile_plan_permutation *graphagile_plan_permutation_of(const graphagile_plan *p, const char *set);

/* Adds a tensor for a value, in the plan's arena. Its size is not set yet; values of edges have
 * no rows yet either. */
graphagile_plan_tensor *graphagile_plan_add_tensor(graphagile_plan *p, MlirValue rows, graphagile_plan_place place,
                                                   const char *name);

/* Sets fibers, stride and bytes of a tensor from its rows and width. */
void graphagile_plan_size_tensor(graphagile_plan *p, graphagile_plan_tensor *t);

/* Extends the lifetimes of tensors by those of their windows, once the lifetimes of all tensors
 * are known. */
void graphagile_plan_join_lives(graphagile_plan *p);

/* Sets the lifetimes of all tensors from the layers that are in the plan now. */
void graphagile_plan_find_lives(graphagile_plan *p);

#endif
