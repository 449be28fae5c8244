/* Shared by the files of gnn-to-inter: the loop under construction, and what an operation becomes
 * on payloads. */
#ifndef GNNC_PASSES_GNN_TO_INTER_GNN_TO_INTER_H
#define GNNC_PASSES_GNN_TO_INTER_GNN_TO_INTER_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

/* The function being lowered. */
typedef struct to_inter {
  pass_context *p;
  MlirBlock body;
  VEC(MlirValue) graphs;    /* of the function, all defined before its first loop */
  MlirOperation bind;       /* null in bind itself, and where there is none */
  const int64_t *bound;     /* in run: the result of bind that fills each argument */
  const map *weight_counts; /* name of a weight -> its number of types */
  bool ok;
} to_inter;

/* A canonical loop for one operation, built before it. */
typedef struct to_inter_loop {
  to_inter *l;
  MlirOperation op;
  ir_op kind;      /* for_nodes, for_edges, for_types or once */
  const char *per; /* of for_types, with how many */
  int64_t count;
  MlirValue graph;
  MlirValue cursor;
  MlirRegion region;
  ir_builder b; /* at the end of the body */
} to_inter_loop;

/* Starts a loop over the domain of `domain` (node, edge, per type, or plain: once). False after
 * reporting an error. */
bool to_inter_begin(to_inter *l, MlirOperation op, ir_type domain, to_inter_loop *loop);
/* The payload of a value at the cursor of the loop; a null value stays null. Constants are copied
 * into the body; a slice is read at its type. */
MlirValue to_inter_payload(to_inter_loop *loop, MlirValue value);
/* Ends the loop with one payload; uses of the operation's result become the loop's. A null payload:
 * an error was reported. */
void to_inter_end(to_inter_loop *loop, MlirValue payload);

/* The graph of the function with an edge set, made where there is none yet; null if there is
 * nothing to make it from. */
MlirValue to_inter_edge_graph(to_inter *l, const char *set);
/* value[cursor]: inter.at; of a slice, the sliced value at the type of the cursor. */
MlirValue to_inter_at(const ir_builder *b, MlirValue value, MlirValue cursor);
/* inter.src or inter.dst. */
MlirValue to_inter_end_of(const ir_builder *b, MlirValue edge, bool at_source);
/* How many types a value per type is for: -1 for graphs of a batch, 0 where nothing says. */
int64_t to_inter_count(const to_inter *l, MlirValue value);
/* An inner loop over `operands` with one cursor of `cursor` type; `*body` appends to it until
 * to_inter_inner_end gives its results by number. */
typedef struct to_inter_inner {
  ir_op kind;
  MlirValue operands[2];
  MlirRegion region;
  MlirValue cursor;
  ir_builder b;
} to_inter_inner;
to_inter_inner to_inter_inner_begin(const to_inter_loop *loop, ir_op kind, MlirValue over, ir_type cursor);
MlirOperation to_inter_inner_end(const to_inter_loop *loop, to_inter_inner *inner, const MlirValue *yields,
                                 const char *const *reductions, size_t count);

/* What an operation on payloads computes, with biases, activations and normalisations as operations
 * of their own. `operands` by declared position. Null after an error was reported. */
MlirValue to_inter_expand(const ir_builder *b, MlirOperation op, const MlirValue *operands);
/* bias, addend and activation of a gnn.linear applied to the product; null bias and addend are left
 * out. */
MlirValue to_inter_linear_tail(const ir_builder *b, MlirOperation op, MlirValue product, MlirValue bias,
                               MlirValue addend);
/* s, or 1 where s is 0: what row_normalize divides by. */
MlirValue to_inter_divisor(const ir_builder *b, MlirValue s);

/* Operations between all nodes, those of one type, edges, pairs and graphs of a batch; false for
 * other operations. */
bool to_inter_sets(to_inter *l, MlirOperation op);

/* Operations on sparse features: gnn.linear and gnn.densify of an input or of its normalised
 * rows. */
void to_inter_sparse(to_inter *l, MlirOperation op);
/* gnn.linear of normalised dense rows: the product of the rows as they are, divided by their
 * sums. */
void to_inter_normalized_linear(to_inter *l, MlirOperation op);
/* Weights that run reads [N, K] for sparse rows alone are swapped to [K, N] in bind, once. Called
 * before anything is lowered. */
void to_inter_transpose_in_bind(MlirOperation module, pass_context *p);

#endif
