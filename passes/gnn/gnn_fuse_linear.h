/* The parts of gnn-fuse-linear: a match (gnn_fuse_linear_match.c), the weights multiplied
 * (gnn_fuse_linear_weights.c), the decision and the rewrite (gnn_fuse_linear.c). */
#ifndef GNNC_PASSES_GNN_GNN_FUSE_LINEAR_H
#define GNNC_PASSES_GNN_GNN_FUSE_LINEAR_H

#include "passes/manager/pass.h"

/* What chooses the row of a weight: a set of these; none = one weight for all. */
enum { // NOLINT(cert-int09-c): bits
  FUSE_BY_etype = 1,
  FUSE_BY_ntype = 2, /* of the node itself */
  FUSE_BY_src = 4,   /* the node type of the source */
  FUSE_BY_dst = 8,
};

/* A weight as an operation uses it. */
typedef struct fuse_weight {
  MlirValue table; /* plain, or per type */
  MlirValue graph; /* whose types choose its row, null if plain */
  unsigned by;
} fuse_weight;

/* How the shapes of the two operations meet. x [K], y the result of the first, Y what the second
 * sees of it. */
typedef enum fuse_form {
  FUSE_FORM_product,     /* Y = y: W1 W2, batches of them too */
  FUSE_FORM_heads,       /* y [H D] seen as [H, D], times [H, D, N] */
  FUSE_FORM_join,        /* y [H, D] of a batch seen as [H D], times [H D, N] */
  FUSE_FORM_inner,       /* Y = y: the product W1 a is a vector */
  FUSE_FORM_inner_heads, /* y [H D] seen as [H, D], its inner product with a of each head */
} fuse_form;

enum { FUSE_MAX_BIASES = 4 };

/* z = second(between(first(x, w1) + biases), w2), all of it linear in x. */
typedef struct fuse_match {
  MlirOperation first, second;
  MlirOperation gather; /* between the two, null if both are on the same rows */
  fuse_weight w1, w2;
  fuse_weight biases[FUSE_MAX_BIASES];
  unsigned bias_count;
  MlirValue graph; /* whose types choose, and whose edges gather; null if none do */
  unsigned by;     /* the join of all */
  fuse_form form;
  ir_type x, y, seen, z; /* seen = Y */
  bool is_shared;        /* something else needs y, or what is between */
  MlirOperation barrier; /* what is not linear between the two, null if nothing */
} fuse_match;

/* True when `second` (a linear layer or an inner product) has a linear layer behind operand
 * `position` and only linear operations between. When something else is between, false, with
 * `barrier` set. */
bool gnn_fuse_match_find(MlirOperation second, int position, fuse_match *m);
/* The end that `by` goes with: "src" or "dst"; NULL if none, or both. */
const char *gnn_fuse_end_of(unsigned by);

/* FLOPs of one row of W12. */
double gnn_fuse_weight_flops(const fuse_match *m);
/* FLOPs of one row of each operation: first, second, and the one that takes their place. */
double gnn_fuse_first_flops(const fuse_match *m);
double gnn_fuse_second_flops(const fuse_match *m);
double gnn_fuse_result_flops(const fuse_match *m);

/* Builds z from x and W12 before `second`; `pair_count` counts the pairs of edge type and node type
 * of the end. Null after an error. */
MlirValue gnn_fuse_build(const fuse_match *m, int64_t pair_count);

#endif
