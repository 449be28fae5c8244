/* A Layer Block of a plan: what it reads and makes, what is done to its sums, and how it is cut. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_LAYER_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_LAYER_H

#include "codegen/graphagile/plan/plan_limits.h"

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

enum { GRAPHAGILE_PLAN_MAX_EPILOGUES = 4, GRAPHAGILE_PLAN_MAX_LINKS = 9 };

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
  /* Aggregate: the layers that make its values, in their order, as steps on the piece of edges in the Edge Buffer (fuse_attention.h). */
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

/* A function that a store does on the way out, for no cycles. */
static inline bool graphagile_plan_is_stored(graphagile_plan_function f) {
  return f.function == GRAPHAGILE_FUNCTION_relu || f.function == GRAPHAGILE_FUNCTION_leaky_relu;
}

/* What an SDDMM does to its numbers on their way to the edges: GRAPHAGILE_ACT_none where a POST has to. */
static inline uint64_t graphagile_plan_act_of(const graphagile_plan_layer *l) {
  if (!l->num_functions || l->functions[0].param > GRAPHAGILE_PLAN_MAX_ACT_PARAM) return GRAPHAGILE_ACT_none;
  switch (l->functions[0].function) {
  case GRAPHAGILE_FUNCTION_relu: return GRAPHAGILE_ACT_relu;
  case GRAPHAGILE_FUNCTION_leaky_relu: return GRAPHAGILE_ACT_leaky_relu;
  case GRAPHAGILE_FUNCTION_exp: return GRAPHAGILE_ACT_exp;
  default: return GRAPHAGILE_ACT_none;
  }
}

/* How many functions a layer's blocks do by POST. */
int graphagile_plan_posted_functions(const graphagile_plan_layer *layer);

#endif
