/* A layer of a plan, which becomes a Layer Block: members of all kinds of layers, and a union of
 * members of each kind. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LAYER_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LAYER_H

#include "codegen/graphagile/plan/plan_limits.h"

enum { GRAPHAGILE_PLAN_MAX_EPILOGUES = 4, GRAPHAGILE_PLAN_MAX_LINKS = 9 };

/* An element-wise function and its number. */
typedef struct graphagile_plan_function {
  int function; /* GRAPHAGILE_FUNCTION_* */
  int param;    /* index into the constant table */
} graphagile_plan_function;

/* An element-wise layer that was fused with the layer before: it is computed on the sums before
 * they are stored, as function(sums, scale * other) and then `functions`. */
typedef struct graphagile_plan_epilogue {
  int operation;                 /* GRAPHAGILE_VECTOR_* */
  graphagile_plan_tensor *other; /* rows; NULL: `row` is the operand */
  graphagile_plan_constant row;
  bool is_bcast;   /* the operand is one column for all columns of the sums */
  bool is_swapped; /* computes function(scale * other, sums) instead */
  bool is_own;     /* the operand is the column of summed values that the layer itself makes (is_divided) */
  int scale;       /* index into the constant table */
  graphagile_plan_function *functions;
  int num_functions;
} graphagile_plan_epilogue;

/* How a layer is cut into blocks. rows: of a block, which for SpDMM and SDDMM are the
 * destination rows of the partition shape; fibers: of a block's result; inner: input fibers that
 * a block loads at a time. */
typedef struct graphagile_plan_tile {
  int64_t rows, fibers, inner;
  int targets;    /* SpDMM, SDDMM: destination shards of a block, 1 or 2 */
  bool has_parts; /* with two shards: each piece is cut into at most GRAPHAGILE_PLAN_PARTS */
  int groups;     /* SpDMM with broadcast: groups of fibers in a wave; the other blocks of the wave differ by shard */
} graphagile_plan_tile;

/* The initial value of the sums of a product or an aggregation: addend + bias. */
typedef struct graphagile_plan_start {
  graphagile_plan_tensor *addend; /* rows, or NULL */
  graphagile_plan_constant bias;  /* one row; bias.fibers is 0 where there is none */
} graphagile_plan_start;

/* Rows in ranges of one type each. */
typedef struct graphagile_plan_segments {
  int64_t count;          /* number of types; 0: all rows have the same type */
  const int64_t *offsets; /* [count + 1] first row of each type, then the number of rows */
} graphagile_plan_segments;

/* Linear: in * matrix, with a matrix per type of rows */
typedef struct graphagile_plan_gemm {
  graphagile_plan_tensor *in;
  graphagile_plan_constant matrix;
  graphagile_plan_start start;
  graphagile_plan_segments segments;
} graphagile_plan_gemm;

/* Aggregate: a reduction of values * in over the edges of each destination. */
typedef struct graphagile_plan_spdmm {
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *in;     /* rows of sources; NULL: the values themselves are summed up */
  graphagile_plan_tensor *values; /* weights of edges, one per edge and head; NULL: the weights of the list */
  graphagile_plan_start start;
  int reduce; /* GRAPHAGILE_REDUCE_* */
  /* The layers that compute its values, in their order. They are executed on a piece of edges in
   * the Edge Buffer, right before the sum (fuse_attention.h). */
  const struct graphagile_plan_layer *const *links;
  int num_links;
  graphagile_plan_tensor *kept; /* the values of the last link, where other layers read them too; they are stored */
  /* The values of each row's edges are summed up in a column beside the sums, and the sums divided by it. */
  bool is_divided;
  /* An Aggregate over another edge list into the same rows; each block sums up its pieces first. It is not in the
   * list of layers itself. NULL: none. */
  struct graphagile_plan_layer *before;
  /* A Linear that multiplies the sums, with their epilogues and functions, in the blocks that make them: only its
   * result is stored (fuse_product.h). It is not in the list of layers itself. NULL: none. */
  struct graphagile_plan_layer *product;
} graphagile_plan_spdmm;

/* Vector-Inner: computes one number per edge and head from the rows at both ends of the edge. */
typedef struct graphagile_plan_sddmm {
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *src, *dst; /* rows, of which one may be NULL */
  graphagile_plan_tensor *values;    /* values with which the numbers are combined; NULL: the weights of the list */
  int inner, combine;                /* GRAPHAGILE_INNER_*, GRAPHAGILE_COMBINE_* */
} graphagile_plan_sddmm;

/* Vector-Add: function(a, scale * b) of rows; or a where the condition is not 0, and b elsewhere */
typedef struct graphagile_plan_vadd {
  graphagile_plan_tensor *a, *b;     /* b NULL: `row` */
  graphagile_plan_tensor *condition; /* of `select`, else NULL */
  graphagile_plan_constant row;
  graphagile_plan_segments segments; /* of `row`, where it is per type */
  int function;                      /* GRAPHAGILE_VECTOR_* */
  int scale;                         /* index into the constant table */
  bool is_bcast;                     /* b is one column for all columns of a */
} graphagile_plan_vadd;

/* Applies the layer's functions to rows; without functions it copies them. */
typedef struct graphagile_plan_map {
  graphagile_plan_tensor *in;
} graphagile_plan_map;

/* function(a, b) of values of edges; or, without b, the layer's functions of a */
typedef struct graphagile_plan_values {
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *a, *b; /* b may be NULL */
  int function;                  /* GRAPHAGILE_VECTOR_* */
} graphagile_plan_values;

enum { GRAPHAGILE_PLAN_MAX_HOST_OPERANDS = 3 };

/* A step that the host executes. Its operands are the tensors that device layers make: they move
 * to the host before the step, unless an earlier step has moved them. The layer has a result
 * only where device layers read it; then it moves to the device after the step. */
typedef struct graphagile_plan_host {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_HOST_OPERANDS];
  int num_operands;
} graphagile_plan_host;

typedef enum graphagile_plan_kind {
#define KIND(name, type) GRAPHAGILE_PLAN_##name,
#include "codegen/graphagile/plan/plan_kinds.def"
} graphagile_plan_kind;

/* A layer. Its members say all that the instructions depend on. */
typedef struct graphagile_plan_layer {
  MlirOperation op;        /* of the device level */
  const char *name, *file; /* name of the result and place in the model, for messages */
  unsigned line, column;
  graphagile_plan_kind kind;
  graphagile_plan_tensor *result;      /* NULL: a host step whose result stays on the host */
  graphagile_plan_function *functions; /* applied to the result before the epilogues */
  int num_functions;
  graphagile_plan_epilogue epilogues[GRAPHAGILE_PLAN_MAX_EPILOGUES]; /* of Linear and Aggregate layers */
  int num_epilogues;
  graphagile_plan_tile tile;
  double cycles;  /* estimated by the cost model */
  double floor;   /* a lower bound (cost_floor.h) */
  int64_t blocks; /* number of Tiling Blocks, known when they are emitted */
  uint64_t multiply_adds;
  uint64_t text, text_bytes; /* address and bytes of its CSI and blocks */
  union {
#define KIND(name, type) graphagile_plan_##name name;
#include "codegen/graphagile/plan/plan_kinds.def"
  };
} graphagile_plan_layer;

/* ---- what every kind answers ---- */

/* The most tensors that a layer reads: its own, those of its epilogues, and those of the layers
 * fused into it. */
enum {
  GRAPHAGILE_PLAN_MAX_OWN_OPERANDS = 3 + GRAPHAGILE_PLAN_MAX_EPILOGUES,
  GRAPHAGILE_PLAN_MAX_OPERANDS = 2 * GRAPHAGILE_PLAN_MAX_OWN_OPERANDS + 3 * (GRAPHAGILE_PLAN_MAX_LINKS + 1)
};

/* The most constants of a layer and its product, and of these with their epilogues. */
enum {
  GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS = 3,
  GRAPHAGILE_PLAN_MAX_CONSTANTS = GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS + 2 * GRAPHAGILE_PLAN_MAX_EPILOGUES
};

/* The name of a kind, such as "gemm". */
const char *graphagile_plan_kind_name(graphagile_plan_kind kind);

/* The type of a kind that its CSI says: GRAPHAGILE_LAYER_*. */
int graphagile_plan_layer_type(graphagile_plan_kind kind);

/* Lists the tensors that a layer reads itself and in its epilogues; returns how many. */
int graphagile_plan_own_operands(const graphagile_plan_layer *l,
                                 graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_OWN_OPERANDS]);

/* Lists all tensors that a layer reads from memory, with those of its links, of its product and of
 * the layer that it begins with; returns how many. */
int graphagile_plan_operands(const graphagile_plan_layer *l, graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_OPERANDS]);

/* Whether a layer reads a tensor from memory. */
bool graphagile_plan_reads(const graphagile_plan_layer *l, const graphagile_plan_tensor *t);

/* Lists the constants with memory of their own that a layer and its product read themselves: a
 * matrix, a bias or a row. Returns how many. */
int graphagile_plan_own_constants(graphagile_plan_layer *l,
                                  graphagile_plan_constant *out[GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS]);

/* Lists these, then the rows of the epilogues; returns how many. */
int graphagile_plan_constants(graphagile_plan_layer *l, graphagile_plan_constant *out[GRAPHAGILE_PLAN_MAX_CONSTANTS]);

/* The edge list that a layer goes over or whose values it changes; NULL for layers of rows. */
static inline graphagile_plan_edge_list *graphagile_plan_edges_of(const graphagile_plan_layer *l) {
  switch (l->kind) {
  case GRAPHAGILE_PLAN_spdmm: return l->spdmm.edges;
  case GRAPHAGILE_PLAN_sddmm: return l->sddmm.edges;
  case GRAPHAGILE_PLAN_values: return l->values.edges;
  case GRAPHAGILE_PLAN_gemm:
  case GRAPHAGILE_PLAN_vadd:
  case GRAPHAGILE_PLAN_map:
  case GRAPHAGILE_PLAN_host: break;
  }
  return NULL;
}

/* Whether a layer goes over the pieces of a partition, as Aggregate and Vector-Inner layers do. */
static inline bool graphagile_plan_has_pieces(const graphagile_plan_layer *l) {
  return l->kind == GRAPHAGILE_PLAN_spdmm || l->kind == GRAPHAGILE_PLAN_sddmm;
}

/* The initial value of a layer's sums; NULL for layers that sum nothing up in a Feature Buffer. */
static inline const graphagile_plan_start *graphagile_plan_start_of(const graphagile_plan_layer *l) {
  switch (l->kind) {
  case GRAPHAGILE_PLAN_gemm: return &l->gemm.start;
  case GRAPHAGILE_PLAN_spdmm: return &l->spdmm.start;
  case GRAPHAGILE_PLAN_sddmm:
  case GRAPHAGILE_PLAN_vadd:
  case GRAPHAGILE_PLAN_map:
  case GRAPHAGILE_PLAN_values:
  case GRAPHAGILE_PLAN_host: break;
  }
  return NULL;
}

/* The Linear that multiplies the sums of a layer in its blocks; NULL: none. */
static inline graphagile_plan_layer *graphagile_plan_product_of(const graphagile_plan_layer *l) {
  return l->kind == GRAPHAGILE_PLAN_spdmm ? l->spdmm.product : NULL;
}

/* The tensor that a layer stores, which is its result or that of its product; NULL: none. */
static inline graphagile_plan_tensor *graphagile_plan_stored_of(const graphagile_plan_layer *l) {
  const graphagile_plan_layer *product = graphagile_plan_product_of(l);
  return product ? product->result : l->result;
}

/* The extent of a block's loop, for reports: source rows of a subshard, or input fibers at a
 * time. */
int64_t graphagile_plan_inner_rows(const graphagile_plan_layer *l);

/* How many functions each block of a layer computes by POST. */
int graphagile_plan_posted_functions(const graphagile_plan_layer *l);

/* How many of a layer's epilogues divide, which takes longer than to add or multiply. */
int graphagile_plan_divisions(const graphagile_plan_layer *l);

/* Whether a store can apply a function on the way to memory, for no cycles. */
static inline bool graphagile_plan_is_stored(graphagile_plan_function f) {
  return f.function == GRAPHAGILE_FUNCTION_relu || f.function == GRAPHAGILE_FUNCTION_leaky_relu;
}

/* The function that an SDDMM applies to its numbers itself; GRAPHAGILE_ACT_none where a POST has
 * to. */
static inline uint64_t graphagile_plan_act_of(const graphagile_plan_layer *l) {
  if (!l->num_functions || l->functions[0].param > GRAPHAGILE_PLAN_MAX_ACT_PARAM) return GRAPHAGILE_ACT_none;
  switch (l->functions[0].function) {
  case GRAPHAGILE_FUNCTION_relu: return GRAPHAGILE_ACT_relu;
  case GRAPHAGILE_FUNCTION_leaky_relu: return GRAPHAGILE_ACT_leaky_relu;
  case GRAPHAGILE_FUNCTION_exp: return GRAPHAGILE_ACT_exp;
  default: return GRAPHAGILE_ACT_none;
  }
}

#endif
