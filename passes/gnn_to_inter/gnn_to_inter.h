/* Shared by the files of gnn-to-inter: the loop under construction, and the lowering of operations
 * to payloads. */
#ifndef GNNC_PASSES_GNN_TO_INTER_GNN_TO_INTER_H
#define GNNC_PASSES_GNN_TO_INTER_GNN_TO_INTER_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

/* The state while a function is lowered. */
typedef struct to_inter {
  pass_context *p;
  MlirOperation func;
  MlirBlock body;
  VEC(MlirValue) graphs;    /* of the function; all are defined before its first loop */
  MlirOperation bind;       /* null in bind itself, and where there is none */
  const int64_t *bound;     /* in run: for each argument, the result of bind that it gets */
  const map *weight_counts; /* from the name of a weight to its number of types */
  bool ok;
} to_inter;

/* A canonical loop that replaces one operation; it is built before the operation. */
typedef struct to_inter_loop {
  to_inter *l;
  MlirOperation op;
  ir_op kind;      /* for_nodes, for_edges, for_types or once */
  const char *per; /* of for_types: the kind of type, and how many there are */
  int64_t count;
  MlirValue graph;
  MlirValue cursor;
  MlirRegion region;
  ir_builder b; /* at the end of the body */
} to_inter_loop;

/* Begins a loop over the elements of `domain` (node, edge, per type, or plain: once). False after
 * reporting an error. */
bool to_inter_begin(to_inter *l, MlirOperation op, ir_type domain, to_inter_loop *loop);
/* The payload of a value at the cursor of the loop; null for a null value. Constants are copied
 * into the body; a slice is read at its type. */
MlirValue to_inter_payload(to_inter_loop *loop, MlirValue value);
/* Ends the loop with one payload; it replaces the uses of the operation's result by the loop's.
 * A null payload says that an error was reported already. */
void to_inter_end(to_inter_loop *loop, MlirValue payload);
/* Ends a loop that replaces nothing, and returns its result; null after an error. */
MlirValue to_inter_close(to_inter_loop *loop, MlirValue payload);

/* The graph of the function with an edge set, which is made if it does not exist; null where it
 * cannot be made. */
MlirValue to_inter_edge_graph(to_inter *l, const char *set);
/* The same for a node set, or the nodes of one type: null where no graph has them. */
MlirValue to_inter_node_graph(to_inter *l, const char *set);
/* value[cursor] by inter.at; for a slice, the sliced value at the type of the cursor. */
MlirValue to_inter_at(const ir_builder *b, MlirValue value, MlirValue cursor);
/* The end of an edge: inter.src or inter.dst. */
MlirValue to_inter_end_of(const ir_builder *b, MlirValue edge, bool at_source);
/* The number of types of a value per type; -1 for graphs of a batch, 0 where it is unknown. */
int64_t to_inter_count(const to_inter *l, MlirValue value);
/* An inner loop over `operands` with one cursor. to_inter_inner_begin opens it, `b` appends to its
 * body, and to_inter_inner_end returns the loop, whose results are numbered. */
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

/* Builds what an operation computes on payloads, with biases, activations and normalisations as
 * operations of their own. `operands` are by declared position. Null after an error was
 * reported. */
MlirValue to_inter_expand(const ir_builder *b, MlirOperation op, const MlirValue *operands);
/* Applies bias, addend and activation of a gnn.linear to the product; a null bias or addend is left
 * out. */
MlirValue to_inter_linear_tail(const ir_builder *b, MlirOperation op, MlirValue product, MlirValue bias,
                               MlirValue addend);
/* s, or 1 where s is 0: the divisor of row_normalize. */
MlirValue to_inter_divisor(const ir_builder *b, MlirValue s);

/* Lowers operations between all nodes, nodes of one type, edges, pairs and graphs of a batch; false
 * for other operations. */
bool to_inter_sets(to_inter *l, MlirOperation op);

/* Lowers gnn.fold. */
void to_inter_fold(to_inter *l, MlirOperation op);

/* Lowers operations on sparse features: gnn.linear and gnn.densify of an input or of its normalised
 * rows. */
void to_inter_sparse(to_inter *l, MlirOperation op);
/* Keeps gnn.contract, of the original rows where those of a are normalised: rows of b are divided instead. */
void to_inter_contract(to_inter *l, MlirOperation op);
/* Keeps gnn.sum_by. */
void to_inter_sum_by(to_inter *l, MlirOperation op);
/* Attributes of a gnn.contract whose sparse rows lose entries by dropout. */
#define TO_INTER_DROPOUT_P "gnn.dropout_p"
#define TO_INTER_DROPOUT_SITE "gnn.dropout_site"
/* Lowers gnn.linear of normalised dense rows: the product of the original rows, divided by their
 * sums. */
void to_inter_normalized_linear(to_inter *l, MlirOperation op);
/* Transposes weights in bind, once, that run reads as [N, K] only for products with sparse rows. To
 * be called before anything is lowered. */
void to_inter_transpose_in_bind(MlirOperation module, pass_context *p);

#endif
