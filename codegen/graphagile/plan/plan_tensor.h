/* What lies in the device's memory: tensors of rows, tensors of values of edges, edge lists, and
 * constants of layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_TENSOR_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_TENSOR_H

#include "codegen/device/host/host.h"
#include "codegen/graphagile/partition/partition_shape.h"
#include "codegen/graphagile/plan/plan_pieces.h"

enum { GRAPHAGILE_PLAN_ALIGN = 64 }; /* bytes: sections, tensors and lists begin at multiples of it */

typedef enum graphagile_plan_place {
  GRAPHAGILE_PLAN_INPUT,        /* in .features; the runtime writes it */
  GRAPHAGILE_PLAN_INPUT_WEIGHT, /* in .weights; an input that the weights file holds */
  GRAPHAGILE_PLAN_CONSTANT,     /* in .weights */
  GRAPHAGILE_PLAN_HIDDEN /* in .features; a layer makes it, and it shares memory with others unless it is an output */
} graphagile_plan_place;

/* Edge lists with the same edges share one shape, whatever their weights are: values that a
 * layer computes over one list are used over another. */
typedef struct graphagile_plan_shape {
  graphagile_partition_shape shape;
  bool is_chosen;
} graphagile_plan_shape;

/* The order in which device memory has the rows of a set. The host's arrays and edge lists keep
 * theirs (program_host_set_order). */
typedef struct graphagile_plan_permutation {
  int64_t rows;
  const int32_t *place; /* [rows] where the device has each row of the host */
  const int32_t *row;   /* [rows] the reverse: the host's row in each place */
  const int32_t *user;  /* [rows] the user's index of the row in each place */
} graphagile_plan_permutation;

/* An edge list, and its partition once it is made. */
typedef struct graphagile_plan_edge_list {
  MlirOperation op;
  const program_edge_list *list;
  const char *name, *kind;
  graphagile_plan_shape *shape;
  graphagile_partition partition;
  graphagile_plan_pieces orders[GRAPHAGILE_PLAN_ORDERS];
  bool is_packed;       /* records have 4 bytes instead of 12, or of 8 with options->half */
  bool wants_positions; /* values over the list are in DDR, and the host writes them or the user reads them */
  uint64_t address;     /* of the records, in section .edges */
  uint64_t record_bytes;
} graphagile_plan_edge_list;

/* Rows of a set; or values of edges: then `rows` is the number of edges and `width` the number
 * of heads. */
typedef struct graphagile_plan_tensor {
  const char *name, *set;
  MlirValue value;     /* of constants and inputs: the value of the gnn level; else null */
  MlirOperation input; /* device.input; null: not an input */
  graphagile_plan_place place;
  bool is_output;
  graphagile_plan_edge_list *edges; /* of values: their list, else NULL */
  const float *numbers; /* numbers of a column that the plan itself made, in the order of its rows; else NULL */
  graphagile_plan_edge_list *weight; /* of constant values that are the weights of an edge list: that list; else NULL */
  int64_t rows, width, fibers, stride; /* width: columns; fibers of values: heads; stride: rows from fiber to fiber */
  int first, last;                     /* index of the layer that makes it, -1: none; of the layer that reads it last */
  struct graphagile_plan_tensor *whole; /* set if it is a window: fibers `window` and on of `whole` */
  int64_t window;
  uint64_t address, bytes;
  uint64_t array_bytes;    /* of values: from head to head */
  int kind;                /* GRAPHAGILE_KIND_* */
  bool is_half;            /* rows have 2 bytes per number in DDR (plan_half.h) */
  bool is_compact;         /* rows of one column have 4 bytes in DDR (plan_compact.h) */
  bool is_compact_in_cost; /* estimates know it, too (plan_half.h) */
  bool is_gone;            /* it is never in memory, because a fusion made it superfluous */
} graphagile_plan_tensor;

/* A constant of the gnn level that a layer reads through a Weight Buffer: the matrices of a
 * Linear layer, or a row that is combined with every row of a tensor, such as a bias. */
typedef struct graphagile_plan_constant {
  MlirValue value; /* null: the layer has no such constant */
  const char *name;
  int64_t types;        /* 1, or the number of segments of rows, each with its own constant */
  int64_t depth, width; /* inner dimension of a matrix, 1 of a row; columns */
  bool is_transposed;   /* stored [width, depth] */
  bool has_zeros; /* zeros of the matrix say that a column takes no part, because the matrix selects columns or was
                  * made with one that does */
  bool is_one;    /* one number for all columns */
  bool is_merged; /* of a bias: it is stored before the first row of each group of the layer's matrix */
  int64_t head;   /* of a matrix: rows before its own in each group, that is 1 with a merged bias */
  int64_t fibers; /* of width */
  int64_t group;  /* of a matrix: fibers per group; stored as [group][depth][columns of the group] */
  uint64_t address, bytes;
  uint64_t type_bytes; /* from type to type */
} graphagile_plan_constant;

/* The form of the edges of a list in memory. */
static inline int graphagile_plan_form_of(const graphagile_plan_edge_list *e) {
  return e->is_packed                                ? GRAPHAGILE_FORM_packed
         : e->record_bytes == GRAPHAGILE_SHORT_BYTES ? GRAPHAGILE_FORM_half
                                                     : GRAPHAGILE_FORM_record;
}

/* Whether a tensor lies in .weights; otherwise it lies in .features. */
static inline bool graphagile_plan_is_weights(const graphagile_plan_tensor *t) {
  return t->place == GRAPHAGILE_PLAN_CONSTANT || t->place == GRAPHAGILE_PLAN_INPUT_WEIGHT;
}

/* Bytes of a row of `columns` columns in DDR; columns are whole fibers, of which a compact row has no part. */
static inline int64_t graphagile_plan_row_bytes(const graphagile_plan_tensor *t, int64_t columns) {
  if (t->is_compact) return sizeof(float);
  return columns * (t->is_half ? 2 : 4);
}

/* The name of the layout of rows in DDR (runtime/layouts.def); NULL: fibers. */
static inline const char *graphagile_plan_layout(const graphagile_plan_tensor *t) {
  return t->is_compact ? "values" : t->is_half ? "fibers16" : NULL;
}

/* The tensor that owns the memory of t: t itself, or the tensor of which it is a window. */
static inline const graphagile_plan_tensor *graphagile_plan_root(const graphagile_plan_tensor *t) {
  while (t->whole) t = t->whole;
  return t;
}

#endif
