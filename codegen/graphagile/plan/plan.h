/* A program of the overlay between its module and its instructions: tensors in DDR, edge lists,
 * Layer Blocks with their tiles.
 *
 * graphagile_read_module makes it from the device level, graphagile_tile_layers chooses partitions
 * and tiles by the cost model, graphagile_layout_assign the addresses, emit.h the instructions. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_H

#include "codegen/graphagile/plan/plan_layer.h"
#include "codegen/graphagile/plan/plan_options.h"
#include "isa/image/image.h"
#include "support/diag.h"
#include "support/map.h"
#include "support/vec.h"

typedef struct graphagile_plan_output {
  graphagile_plan_tensor *tensor; /* NULL: the host makes it */
  size_t index;                   /* of the function's results */
} graphagile_plan_output;

typedef struct graphagile_plan {
  arena *arena;
  MlirOperation module, function;
  program_host *host;
  const graphagile_options *options;
  const graphagile_device *device;
  diag *diag;
  bool failed;  /* a message was given */
  status error; /* the world failed */
  const char *model;
  VEC(graphagile_plan_tensor *) tensors; /* windows too */
  VEC(graphagile_plan_edge_list *) edges;
  unsigned char *records; /* the .edges section, the host's; NULL with no_data */
  VEC(graphagile_plan_layer) layers;
  VEC(graphagile_plan_output) outputs;
  map values;       /* SSA value -> graphagile_plan_tensor or graphagile_plan_edge_list */
  bool has_host;    /* steps of the host: then only what the device needs is read */
  map needs;        /* of place.h */
  float *constants; /* the constant table */
  int num_constants;
  uint64_t sections[IMAGE_SECTIONS], sizes[IMAGE_SECTIONS];
  double floor; /* cycles, see cost_floor.h */
} graphagile_plan;

/* The number of a constant in the table, entered on first use. The table has 1024 entries; a
 * message at the layer when it is full. */
int graphagile_plan_constant_index(graphagile_plan *p, const graphagile_plan_layer *layer, double value);

/* Reports at a layer's place in the model (NULL: at the model itself), and marks the plan as
 * failed. */
void graphagile_plan_fail(graphagile_plan *p, const graphagile_plan_layer *layer, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Keeps the first status as p->error; true where there is none. */
bool graphagile_plan_check(graphagile_plan *p, status s);

/* The tensor that a value of rows or values is, NULL for a null value. */
graphagile_plan_tensor *graphagile_plan_find_tensor(graphagile_plan *p, MlirValue value);

/* A new one for the value, without rows where it is values of edges, and without size. */
graphagile_plan_tensor *graphagile_plan_add_tensor(graphagile_plan *p, MlirValue rows, graphagile_plan_place place,
                                                   const char *name);

/* Fibers, stride and bytes, from rows and width. */
void graphagile_plan_size_tensor(graphagile_plan *p, graphagile_plan_tensor *t);

/* Lives of windows become those of what has their memory, once those of all tensors are known. */
void graphagile_plan_join_lives(graphagile_plan *p);

#endif
