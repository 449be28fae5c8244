/* What lies in the device's memory: rows, values of edges, edge lists and constants of layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_TENSOR_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_TENSOR_H

#include "codegen/device/host/host.h"
#include "codegen/graphagile/partition/partition_shape.h"
#include "codegen/graphagile/plan/plan_pieces.h"

enum { GRAPHAGILE_PLAN_ALIGN = 64 }; /* bytes: sections, tensors and lists begin at multiples */

typedef enum graphagile_plan_place {
  GRAPHAGILE_PLAN_INPUT,        /* .features; the runtime writes it */
  GRAPHAGILE_PLAN_INPUT_WEIGHT, /* .weights: an input kept in the weights file */
  GRAPHAGILE_PLAN_CONSTANT,     /* .weights */
  GRAPHAGILE_PLAN_HIDDEN        /* .features; made by a layer, shares memory with others unless it is an output */
} graphagile_plan_place;

/* Edge lists that have the same edges, whatever their weights, share one shape: values made over
 * one are used over the other. */
typedef struct graphagile_plan_shape {
  graphagile_partition_shape shape;
  bool is_chosen;
} graphagile_plan_shape;

typedef struct graphagile_plan_edge_list {
  MlirOperation op;
  const program_edge_list *list;
  const char *name, *kind;
  graphagile_plan_shape *shape;
  graphagile_partition partition;
  graphagile_plan_pieces orders[GRAPHAGILE_PLAN_ORDERS];
  bool is_packed;       /* 4 bytes per edge */
  bool wants_positions; /* values in DDR that the host writes or the user reads */
  uint64_t address;
  uint64_t record_bytes;
} graphagile_plan_edge_list;

/* Rows, or values of edges: then rows are the edges and width the heads. */
typedef struct graphagile_plan_tensor {
  const char *name, *set;
  MlirValue value;     /* of the gnn level, of constants and inputs */
  MlirOperation input; /* device.input; null: none */
  graphagile_plan_place place;
  bool is_output;
  graphagile_plan_edge_list *edges;  /* of values, else NULL */
  const float *numbers;              /* of a column that the plan made, in the order of its rows; else NULL */
  graphagile_plan_edge_list *weight; /* constant values that are the weights of an edge list itself */
  int64_t rows, width, fibers, stride;
  int first, last;                      /* layer that makes it, -1 for none; layer that reads it last */
  struct graphagile_plan_tensor *whole; /* it is some fibers of this one, from fiber 'window' on; else NULL */
  int64_t window;
  uint64_t address, bytes;
  uint64_t array_bytes; /* from head to head */
  int kind;             /* GRAPHAGILE_KIND_* */
  bool is_gone;         /* never in memory: an epilogue made it superfluous */
} graphagile_plan_tensor;

/* A constant of the gnn level that a layer reads through a Weight Buffer: the matrices of a GEMM,
 * or rows that meet every row of a tensor (bias). */
typedef struct graphagile_plan_constant {
  MlirValue value; /* null: none */
  const char *name;
  int64_t types; /* 1, or one per segment of rows */
  int64_t depth, width;
  bool is_transposed; /* stored [width, depth] */
  bool has_zeros;     /* a selection of columns, or made with one: its zeros say that columns take no part */
  bool is_one;        /* one number for all columns */
  bool is_merged;     /* a bias that stands before the first row of each group of the layer's matrix */
  int64_t head;       /* rows before those of the matrix in each group: the merged bias */
  int64_t fibers;     /* of width */
  int64_t group;      /* GEMM: fibers per group; packed [group][depth][columns of the group] */
  uint64_t address, bytes;
  uint64_t type_bytes;
} graphagile_plan_constant;

/* Whether a tensor lies in .weights, else in .features. */
static inline bool graphagile_plan_is_weights(const graphagile_plan_tensor *t) {
  return t->place == GRAPHAGILE_PLAN_CONSTANT || t->place == GRAPHAGILE_PLAN_INPUT_WEIGHT;
}

/* The tensor that has the memory of t. */
static inline const graphagile_plan_tensor *graphagile_plan_root(const graphagile_plan_tensor *t) {
  while (t->whole) t = t->whole;
  return t;
}

#endif
