/* The parts of gnn-fuse-linear: matching (gnn_fuse_linear_match.c), the product of the weights
 * (gnn_fuse_linear_weights.c), the choice and the rewrite (gnn_fuse_linear.c). */
#ifndef GNNC_PASSES_GNN_GNN_FUSE_LINEAR_H
#define GNNC_PASSES_GNN_GNN_FUSE_LINEAR_H

#include "passes/manager/pass.h"

/* What chooses the row of a weight, as a set of bits; 0: there is one weight for all rows. */
enum { // NOLINT(cert-int09-c): bits
  FUSE_BY_etype = 1,
  FUSE_BY_ntype = 2, /* the node type of the node itself */
  FUSE_BY_src = 4,   /* the node type of the source */
  FUSE_BY_dst = 8,
};

/* A weight of one of the two operations. */
typedef struct fuse_weight {
  MlirValue table; /* plain, or per type */
  MlirValue graph; /* the graph whose types choose its row; null if plain */
  unsigned by;
} fuse_weight;

/* How the shapes of the two operations fit. x is [K]; y is the result of the first; Y is y in the
 * shape in which the second reads it. */
typedef enum fuse_form {
  FUSE_FORM_product,     /* Y = y: W1 W2, also for batches */
  FUSE_FORM_heads,       /* y [H D] is read as [H, D], and multiplied by [H, D, N] */
  FUSE_FORM_join,        /* y [H, D] of a batch is read as [H D], and multiplied by [H D, N] */
  FUSE_FORM_inner,       /* Y = y, and the second is an inner product: W1 a is a vector */
  FUSE_FORM_inner_heads, /* y [H D] is read as [H, D]; its inner product with a, for each head */
} fuse_form;

enum { FUSE_MAX_BIASES = 4 };

/* A match: z = second(between(first(x, w1) + biases), w2), all of it linear in x. */
typedef struct fuse_match {
  MlirOperation first, second;
  MlirOperation gather; /* between the two; null if both have the same rows */
  fuse_weight w1, w2;
  fuse_weight biases[FUSE_MAX_BIASES];
  unsigned bias_count;
  MlirValue graph; /* the graph whose types choose rows and whose edges gather; null if there is none */
  unsigned by;     /* the union over all weights */
  fuse_form form;
  ir_type x, y, seen, z; /* seen: the type of Y */
  bool is_shared;        /* something else needs y, or a value between the two */
  MlirOperation barrier; /* the operation between the two that is not linear; null: none */
} fuse_match;

/* Finds a match for `second` (a linear layer or an inner product): its operand `position` must be
 * made by a linear layer with only linear operations between. Returns false otherwise; `barrier` is
 * set if an operation that is not linear was in the way. */
bool gnn_fuse_match_find(MlirOperation second, int position, fuse_match *m);
/* The end that `by` contains: "src" or "dst"; NULL if none or both. */
const char *gnn_fuse_end_of(unsigned by);

/* FLOPs of one row of W12. */
double gnn_fuse_weight_flops(const fuse_match *m);
/* FLOPs of one row of the first operation, of the second, and of the one that replaces them. */
double gnn_fuse_first_flops(const fuse_match *m);
double gnn_fuse_second_flops(const fuse_match *m);
double gnn_fuse_result_flops(const fuse_match *m);

/* Builds z from x and W12 before `second`; `pair_count` is the number of pairs of edge type and
 * node type of the end. Null after an error. */
MlirValue gnn_fuse_build(const fuse_match *m, int64_t pair_count);

#endif
