/* A Layer Block of a plan: what all kinds of layers have, and a union of what one kind has. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LAYER_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LAYER_H

#include "codegen/graphagile/plan/plan_limits.h"

enum { GRAPHAGILE_PLAN_MAX_EPILOGUES = 4, GRAPHAGILE_PLAN_MAX_LINKS = 9 };

typedef struct graphagile_plan_function {
  int function; /* GRAPHAGILE_FUNCTION_* */
  int param;    /* constant */
} graphagile_plan_function;

/* What a layer does with its sums before they are stored, instead of a layer behind it:
 * function(sums, scale * other), then functions. */
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

/* How a layer is cut. rows: of a block (SpDMM, SDDMM: the destination rows of the shape); fibers:
 * of a block's result; inner: input fibers at a time. */
typedef struct graphagile_plan_tile {
  int64_t rows, fibers, inner;
  int targets;    /* SpDMM, SDDMM: destination shards of a block at the same time, 1 or 2 */
  bool has_parts; /* with two: pieces are cut into GRAPHAGILE_PLAN_PARTS */
  int groups;     /* SpDMM with broadcast: groups of fibers among the blocks that run at the same time; the
                   * others differ by shard */
} graphagile_plan_tile;

/* What the sums of a product or an aggregation begin with. */
typedef struct graphagile_plan_start {
  graphagile_plan_tensor *addend; /* rows, or NULL */
  graphagile_plan_constant bias;  /* a plain row, without fibers where there is none */
} graphagile_plan_start;

/* Rows in stretches of one type each. */
typedef struct graphagile_plan_segments {
  int64_t count; /* 0: all rows are alike */
  const int64_t *offsets;
} graphagile_plan_segments;

/* in * matrix */
typedef struct graphagile_plan_gemm {
  graphagile_plan_tensor *in;
  graphagile_plan_constant matrix;
  graphagile_plan_start start;
  graphagile_plan_segments segments;
} graphagile_plan_gemm;

/* Aggregate: a reduction of values * in over the edges of each destination. */
typedef struct graphagile_plan_spdmm {
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *in;     /* sources; NULL: values alone */
  graphagile_plan_tensor *values; /* weights of edges; NULL: those of the list */
  graphagile_plan_start start;
  int reduce; /* GRAPHAGILE_REDUCE_* */
  /* The layers that make its values, in their order, as steps on the piece of edges in the Edge
   * Buffer (fuse_attention.h). */
  const struct graphagile_plan_layer *const *links;
  int num_links;
  graphagile_plan_tensor *kept; /* what the last link makes, where other layers read it too */
  bool is_divided; /* the values of each row's edges are summed beside its columns, and the sums divided by them */
  struct graphagile_plan_layer *before; /* blocks begin with the pieces of this one, over another list and
                                         * the same rows; it is no layer of its own */
} graphagile_plan_spdmm;

/* Vector-Inner: a number per edge and head of the rows at its ends. */
typedef struct graphagile_plan_sddmm {
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *src, *dst; /* rows, of which one may be NULL */
  graphagile_plan_tensor *values;    /* what the numbers are combined with; NULL: the list's weights */
  int inner, combine;                /* GRAPHAGILE_INNER_*, GRAPHAGILE_COMBINE_* */
} graphagile_plan_sddmm;

/* function(a, scale * b) of rows, or a where the condition is not 0 and else b */
typedef struct graphagile_plan_vadd {
  graphagile_plan_tensor *a, *b;     /* b NULL: the row */
  graphagile_plan_tensor *condition; /* of select */
  graphagile_plan_constant row;
  graphagile_plan_segments segments; /* of the row */
  int function;                      /* GRAPHAGILE_VECTOR_* */
  int scale;                         /* constant */
  bool is_bcast;                     /* b is a column */
} graphagile_plan_vadd;

/* The layer's functions of rows, or a copy. */
typedef struct graphagile_plan_map {
  graphagile_plan_tensor *in;
} graphagile_plan_map;

/* function(a, b) of values of edges, or the layer's functions of a */
typedef struct graphagile_plan_values {
  graphagile_plan_edge_list *edges;
  graphagile_plan_tensor *a, *b; /* b may be NULL */
  int function;                  /* GRAPHAGILE_VECTOR_* */
} graphagile_plan_values;

enum { GRAPHAGILE_PLAN_MAX_HOST_OPERANDS = 3 };

/* A step of the host. Its operands are those that device layers make: they move to the host before
 * it, unless an earlier step has them. Its result is a tensor where device layers read it: then it
 * moves to the device behind it. */
typedef struct graphagile_plan_host {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_HOST_OPERANDS];
  int num_operands;
} graphagile_plan_host;

typedef enum graphagile_plan_kind {
#define KIND(name, type) GRAPHAGILE_PLAN_##name,
#include "codegen/graphagile/plan/plan_kinds.def"
} graphagile_plan_kind;

typedef struct graphagile_plan_layer {
  MlirOperation op;
  const char *name, *file; /* place in the model */
  unsigned line, column;
  graphagile_plan_kind kind;
  graphagile_plan_tensor *result;      /* NULL: a step of the host whose result stays there */
  graphagile_plan_function *functions; /* of the result, before epilogues */
  int num_functions;
  graphagile_plan_epilogue epilogues[GRAPHAGILE_PLAN_MAX_EPILOGUES]; /* of gemm and spdmm */
  int num_epilogues;
  graphagile_plan_tile tile;
  double cycles; /* estimated */
  double floor;  /* no program takes less */
  int64_t blocks;
  uint64_t multiply_adds;
  uint64_t text, text_bytes; /* address and size of its CSI and blocks */
  union {
#define KIND(name, type) graphagile_plan_##name name;
#include "codegen/graphagile/plan/plan_kinds.def"
  };
} graphagile_plan_layer;

/* ---- what every kind answers ---- */

/* The most tensors that a layer reads: its own, those of epilogues, and those of the layers inside
 * of it. */
enum {
  GRAPHAGILE_PLAN_MAX_OWN_OPERANDS = 3 + GRAPHAGILE_PLAN_MAX_EPILOGUES,
  GRAPHAGILE_PLAN_MAX_OPERANDS = GRAPHAGILE_PLAN_MAX_OWN_OPERANDS + 3 * (GRAPHAGILE_PLAN_MAX_LINKS + 1)
};

/* The constants of a layer and of its epilogues. */
enum { GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS = 2, GRAPHAGILE_PLAN_MAX_CONSTANTS = 2 + GRAPHAGILE_PLAN_MAX_EPILOGUES };

/* "gemm", and so on. */
const char *graphagile_plan_kind_name(graphagile_plan_kind kind);

/* GRAPHAGILE_LAYER_* */
int graphagile_plan_layer_type(graphagile_plan_kind kind);

/* The tensors that a layer reads itself and in its epilogues; returns how many. */
int graphagile_plan_own_operands(const graphagile_plan_layer *l,
                                 graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_OWN_OPERANDS]);

/* All tensors that a layer reads from memory, those of its links and of the layer that it begins
 * with too. */
int graphagile_plan_operands(const graphagile_plan_layer *l, graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_OPERANDS]);

/* Whether it reads a tensor from memory. */
bool graphagile_plan_reads(const graphagile_plan_layer *l, const graphagile_plan_tensor *t);

/* The constants with memory of their own that a layer reads itself: its matrix, its bias or row. */
int graphagile_plan_own_constants(graphagile_plan_layer *l,
                                  graphagile_plan_constant *out[GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS]);

/* Those, then the rows of its epilogues. */
int graphagile_plan_constants(graphagile_plan_layer *l, graphagile_plan_constant *out[GRAPHAGILE_PLAN_MAX_CONSTANTS]);

/* The edge list that a layer goes over, or whose values it changes; NULL for layers of rows. */
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

/* Whether a layer goes over the pieces of a partition. */
static inline bool graphagile_plan_has_pieces(const graphagile_plan_layer *l) {
  return l->kind == GRAPHAGILE_PLAN_spdmm || l->kind == GRAPHAGILE_PLAN_sddmm;
}

/* What sums begin with; NULL for layers that sum nothing in a Feature Buffer. */
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

/* What a block takes at a time: source rows of a shard, or input fibers. */
int64_t graphagile_plan_inner_rows(const graphagile_plan_layer *l);

/* How many functions a layer's blocks do by POST. */
int graphagile_plan_posted_functions(const graphagile_plan_layer *l);

/* How many of a layer's epilogues divide rows, which takes longer than to add or multiply them. */
int graphagile_plan_divisions(const graphagile_plan_layer *l);

/* A function that a store does on the way out, for no cycles. */
static inline bool graphagile_plan_is_stored(graphagile_plan_function f) {
  return f.function == GRAPHAGILE_FUNCTION_relu || f.function == GRAPHAGILE_FUNCTION_leaky_relu;
}

/* What an SDDMM does to its numbers on their way to the edges: GRAPHAGILE_ACT_none where a POST has
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
