/* Reverse-mode differentiation at the gnn level: the state of the walk, and what its rules share.
 *
 * A value that depends on a trained one is *active*. The walk visits operations from the last to the
 * first. When it comes to an operation, the adjoint d of its result is complete, and the rule of the
 * operation adds to the adjoints of its active operands. d has always the domain and the payload of
 * the result. */
#ifndef GNNC_PASSES_GNN_TRAIN_GNN_ADJOINT_H
#define GNNC_PASSES_GNN_TRAIN_GNN_ADJOINT_H

#include "passes/manager/pass.h"
#include "support/map.h"

typedef struct gnn_adjoint {
  pass_context *p;
  MlirOperation func;
  const char *backward; /* of a program of derivatives: train_backward_of; NULL: the loss is differentiated */
  ir_builder b;         /* where the adjoints are built: before the end of the function */
  map active;           /* the values that depend on trained ones */
  map of;               /* from a value to its adjoint so far */
  map graphs;           /* from the name of a set to a graph with it */
  bool is_wrong;        /* an error was reported */
} gnn_adjoint;

/* One operation that the walk visits. */
typedef struct gnn_adjoint_op {
  gnn_adjoint *a;
  MlirOperation op;
  MlirValue operands[IR_MAX_OPERANDS]; /* by declared position */
  MlirValue result, d;
} gnn_adjoint_op;

/* Collects the graphs of the function, by the names of their sets. */
void gnn_adjoint_find_graphs(gnn_adjoint *a);
/* Whether the adjoint of a value is wanted. False for null values. */
bool gnn_adjoint_is_active(const gnn_adjoint *a, MlirValue value);
/* Adds `d` to the adjoint of `value`, if that is wanted. d may have more dimensions behind those of
 * value, and rows where value has none: these are summed. It may also have no rows where value has
 * them: then all rows have the same d. A null d, after an error, is ignored. */
void gnn_adjoint_add(gnn_adjoint *a, MlirValue value, MlirValue d);
/* Adds x * y, summed in the same way: an inner product where y has one dimension more than value. */
void gnn_adjoint_add_product(gnn_adjoint *a, MlirValue value, MlirValue x, MlirValue y);
/* The graph whose rows a value has, and the graph with a set of edges or nodes. */
MlirValue gnn_adjoint_graph_of(gnn_adjoint *a, MlirValue value);
/* Reports that an operation cannot be differentiated. */
void gnn_adjoint_refuse(gnn_adjoint *a, MlirOperation op, const char *why);

/* ---- shorter spellings of builders ---- */

MlirValue gnn_adjoint_binary(const gnn_adjoint *a, ir_op op, MlirValue x, MlirValue y);
MlirValue gnn_adjoint_constant(const gnn_adjoint *a, double number);
/* function(x), of one number; p is its first number. */
MlirValue gnn_adjoint_unary(const gnn_adjoint *a, MlirValue x, const char *function);
MlirValue gnn_adjoint_compare(const gnn_adjoint *a, MlirValue x, MlirValue y, const char *predicate);
MlirValue gnn_adjoint_select(const gnn_adjoint *a, MlirValue condition, MlirValue x, MlirValue y);
MlirValue gnn_adjoint_reduce(const gnn_adjoint *a, MlirValue x, const char *function);
MlirValue gnn_adjoint_reshape(const gnn_adjoint *a, MlirValue x, unsigned rank, const int64_t *dims);
MlirValue gnn_adjoint_view(const gnn_adjoint *a, MlirValue x, unsigned rank, const int64_t *dims,
                           const int64_t *strides, int64_t begin);
/* x as an operand of higher rank whose last dimension repeats its elements: [...] becomes [..., width]. */
MlirValue gnn_adjoint_spread(const gnn_adjoint *a, MlirValue x, int64_t width);
/* A coefficient per element of the last dimension [K], repeated for payload `type` [..., K]. */
MlirValue gnn_adjoint_along_last(const gnn_adjoint *a, MlirValue coefficient, ir_type type);
MlirValue gnn_adjoint_transpose(const gnn_adjoint *a, MlirValue x);
MlirValue gnn_adjoint_zeros(const gnn_adjoint *a, unsigned rank, const int64_t *dims);
/* x @ w. */
MlirValue gnn_adjoint_linear(const gnn_adjoint *a, MlirValue x, MlirValue w, bool is_transposed);
/* The sum over the rows of y, or of outer products of the rows of x and y. `per`: NULL, or the kind of
 * types of which there are `count`. */
MlirValue gnn_adjoint_contract(gnn_adjoint *a, MlirValue x, MlirValue y, bool is_batch, const char *per, int64_t count);
/* Adds d, or the outer products times x d, to the rows of its table that a gnn.lookup picks at each row. */
void gnn_adjoint_add_picked(gnn_adjoint *a, MlirOperation lookup, MlirValue times, MlirValue d);
/* Number of rows of a value per type; 0 where it is not known. */
int64_t gnn_adjoint_count(const gnn_adjoint *a, MlirValue value);
/* The sum over edges at one end: "in" sums at destinations. */
MlirValue gnn_adjoint_sum_at(const gnn_adjoint *a, MlirValue graph, MlirValue value, MlirValue weight,
                             const char *direction);
/* a where it is not 0, else 1. */
MlirValue gnn_adjoint_divisor(const gnn_adjoint *a, MlirValue x);

/* ---- rules ---- */

typedef void (*gnn_adjoint_rule)(gnn_adjoint_op *o);
#define ADJOINT_RULE(name) void gnn_adjoint_of_##name(gnn_adjoint_op *o)
ADJOINT_RULE(opposite_edges);
ADJOINT_RULE(extend_edges);
ADJOINT_RULE(restrict_edges);
ADJOINT_RULE(quantile);
ADJOINT_RULE(first);
ADJOINT_RULE(place_first);
ADJOINT_RULE(expand);
ADJOINT_RULE(part);
ADJOINT_RULE(unite);
ADJOINT_RULE(gather);
ADJOINT_RULE(slice);
ADJOINT_RULE(aggregate);
ADJOINT_RULE(pool);
ADJOINT_RULE(total);
ADJOINT_RULE(linear);
ADJOINT_RULE(vector_inner);
ADJOINT_RULE(outer);
ADJOINT_RULE(lookup);
ADJOINT_RULE(sum_by);
ADJOINT_RULE(contract);
ADJOINT_RULE(vector_add);
ADJOINT_RULE(subtract);
ADJOINT_RULE(multiply);
ADJOINT_RULE(divide);
ADJOINT_RULE(larger);
ADJOINT_RULE(binary);
ADJOINT_RULE(select);
ADJOINT_RULE(activation);
ADJOINT_RULE(dropout);
ADJOINT_RULE(batch_norm);
ADJOINT_RULE(row_normalize);
ADJOINT_RULE(reduce);
ADJOINT_RULE(softmax);
ADJOINT_RULE(concat);
ADJOINT_RULE(columns);
ADJOINT_RULE(reshape);
ADJOINT_RULE(transpose);
ADJOINT_RULE(view);
#undef ADJOINT_RULE

#endif
