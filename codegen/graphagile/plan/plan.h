/* A program of the overlay between its module and its instructions: tensors in DDR, edge lists, Layer Blocks with their tiles.
 *
 * graphagile_plan_read makes it from the device level, graphagile_plan_tiles chooses partitions and tiles by the cost model (cost.h), graphagile_layout_assign the addresses, emit.h the instructions. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_H

#include "codegen/graphagile/compile.h"
#include "codegen/graphagile/partition/partition.h"
#include "codegen/graphagile/plan/plan_pieces.h"
#include "support/map.h"
#include "support/vec.h"

enum {
  GRAPHAGILE_PLAN_MAX_FIBERS = 128,
  GRAPHAGILE_PLAN_MAX_STRIDE = 1 << 22,
  GRAPHAGILE_PLAN_MAX_BODY = 255,
  GRAPHAGILE_PLAN_ALIGN = 64
};

typedef enum graphagile_plan_place {
  GRAPHAGILE_PLAN_INPUT,        /* .features; the runtime writes it */
  GRAPHAGILE_PLAN_INPUT_WEIGHT, /* .weights: an input kept in the weights file */
  GRAPHAGILE_PLAN_CONSTANT,     /* .weights */
  GRAPHAGILE_PLAN_HIDDEN        /* .features; made by a layer, shares memory with others unless it is an output */
} graphagile_plan_place;

/* Edge lists that have the same edges, whatever their weights, share one shape: values made over one are used over the other. */
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
  MlirValue value; /* of the gnn level, of constants and inputs */
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

/* A constant of the gnn level that a layer reads through a Weight Buffer: the matrices of a GEMM, or rows that meet every row of a tensor (bias). */
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

typedef struct graphagile_plan_function {
  int function; /* GRAPHAGILE_FUNCTION_* */
  int param;    /* constant */
} graphagile_plan_function;

/* What a layer does with its sums before they are stored, instead of a layer behind it: function(sums, scale * other), then functions. */
typedef struct graphagile_plan_epilogue {
  int operation;                 /* GRAPHAGILE_VECTOR_* */
  graphagile_plan_tensor *other; /* rows; NULL: a plain row */
  graphagile_plan_constant row;
  bool is_bcast;
  bool is_swapped; /* function(scale * other, sums) */
  bool is_own;     /* the other operand is the layer's own column of summed values (is_divided) */
  int scale;
  graphagile_plan_function *functions;
  int num_functions;
} graphagile_plan_epilogue;

enum { GRAPHAGILE_PLAN_MAX_EPILOGUES = 4 };

typedef enum graphagile_plan_kind {
  GRAPHAGILE_PLAN_GEMM,
  GRAPHAGILE_PLAN_SPDMM,
  GRAPHAGILE_PLAN_SDDMM,
  GRAPHAGILE_PLAN_VADD,
  GRAPHAGILE_PLAN_MAP,
  GRAPHAGILE_PLAN_VALUES
} graphagile_plan_kind;

/* How a layer is cut. rows: of a block (SpDMM, SDDMM: the destination rows of the shape); fibers: of a block's result; inner: input fibers at a time. */
typedef struct graphagile_plan_tile {
  int64_t rows, fibers, inner;
  int targets;    /* SpDMM: destination shards that a block sums up at the same time, 1 or 2 */
  bool has_parts; /* with two: pieces are cut into GRAPHAGILE_PLAN_PARTS */
  int groups; /* SpDMM with broadcast: groups of fibers among the blocks that run at the same time; the others differ by shard */
} graphagile_plan_tile;

typedef struct graphagile_plan_layer {
  MlirOperation op;
  graphagile_plan_kind kind;
  const char *name;
  const char *file;
  unsigned line, column;
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *in;        /* gemm, spdmm, map: operand; vadd, values: a; sddmm: src */
  graphagile_plan_tensor *other;     /* vadd, values: b; sddmm: dst */
  graphagile_plan_tensor *condition; /* select */
  graphagile_plan_tensor *values;
  graphagile_plan_tensor *addend;
  graphagile_plan_tensor *result;
  graphagile_plan_constant matrix, bias; /* vadd: bias is a plain b */
  int64_t segments;                      /* 0, or with weights per type */
  const int64_t *offsets;
  graphagile_plan_function *functions;
  int num_functions;
  graphagile_plan_epilogue epilogues[GRAPHAGILE_PLAN_MAX_EPILOGUES];
  int num_epilogues;
  /* Aggregate: the layers that make its values, in their order, as steps on the piece of edges in the Edge Buffer (plan_attention.h). */
  const struct graphagile_plan_layer *const *links;
  int num_links;
  struct graphagile_plan_layer *
      before; /* Aggregate: blocks begin with the pieces of this one, over another list and the same rows; it is no layer of its own */
  graphagile_plan_tensor *kept; /* what the last link makes, where other layers read it too */
  bool
      is_divided; /* the values of each row's edges are summed beside its columns, for an epilogue that divides by the sum */
  int operation; /* GRAPHAGILE_REDUCE_*, GRAPHAGILE_INNER_*, GRAPHAGILE_VECTOR_* */
  int combine;   /* GRAPHAGILE_COMBINE_* */
  int scale;     /* constant */
  bool is_bcast;
  graphagile_plan_tile tile;
  double cycles; /* estimated */
  double floor;  /* no program takes less */
  int64_t blocks;
  uint64_t multiply_adds;
  uint64_t text, text_bytes; /* address and size of its CSI and blocks */
} graphagile_plan_layer;

typedef struct graphagile_plan_output {
  graphagile_plan_tensor *tensor;
  const char *name;
  ir_type type; /* as the user sees it */
} graphagile_plan_output;

typedef struct graphagile_plan {
  arena *arena;
  MlirOperation module, function;
  program_host *host;
  const backend_options *options;
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
  float *constants; /* the constant table */
  int num_constants;
  uint64_t sections[IMAGE_SECTIONS], sizes[IMAGE_SECTIONS];
  double floor; /* cycles, see cost.h */
} graphagile_plan;

/* Reads the module into p, of which arena, module, host, options, device and diag are set. False after a message or with p->error. */
bool graphagile_plan_read(graphagile_plan *p);

/* Chooses shapes of edge lists and tiles of layers. False after a message: what does not fit the device at all. */
bool graphagile_plan_tiles(graphagile_plan *p);

/* Partitions the edge lists: pieces and, as asked, records and positions. */
bool graphagile_plan_partition(graphagile_plan *p);

/* The number of a constant in the table, entered on first use. The table has 1024 entries; a message at the layer when it is full. */
int graphagile_plan_constant_index(graphagile_plan *p, const graphagile_plan_layer *layer, double value);

/* Reports at a layer's place in the model (NULL: at the model itself), and marks the plan as failed. */
void graphagile_plan_fail(graphagile_plan *p, const graphagile_plan_layer *layer, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Keeps the first status as p->error; true where there is none. */
bool graphagile_plan_check(graphagile_plan *p, status s);

/* A function that a store does on the way out, for no cycles. */
static inline bool graphagile_plan_is_stored(graphagile_plan_function f) {
  return f.function == GRAPHAGILE_FUNCTION_relu || f.function == GRAPHAGILE_FUNCTION_leaky_relu;
}

/* What an SDDMM does to its numbers on their way to the edges: GRAPHAGILE_ACT_none where a POST has to. */
static inline uint64_t graphagile_plan_act_of(const graphagile_plan_layer *l) {
  enum { LARGEST = 255 }; /* constant that fits */
  if (!l->num_functions || l->functions[0].param > LARGEST) return GRAPHAGILE_ACT_none;
  switch (l->functions[0].function) {
  case GRAPHAGILE_FUNCTION_relu: return GRAPHAGILE_ACT_relu;
  case GRAPHAGILE_FUNCTION_leaky_relu: return GRAPHAGILE_ACT_leaky_relu;
  case GRAPHAGILE_FUNCTION_exp: return GRAPHAGILE_ACT_exp;
  default: return GRAPHAGILE_ACT_none;
  }
}

/* How many functions a layer's blocks do by POST. */
int graphagile_plan_posted_functions(const graphagile_plan_layer *layer);

/* The tensor that has the memory of t. */
static inline graphagile_plan_tensor *graphagile_plan_root(graphagile_plan_tensor *t) {
  while (t->whole) t = t->whole;
  return t;
}

#endif
