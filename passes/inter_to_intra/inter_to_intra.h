/* Shared by the files of inter-to-intra: the function that is being lowered. */
#ifndef GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_H
#define GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

typedef VEC(MlirValue) to_intra_values;
typedef VEC(MlirOperation) to_intra_functions;

/* A value that bind keeps for run: one for each result of the bind function. */
typedef struct to_intra_bound {
  const char *name;
  int64_t count; /* rows of a value per type; 0: it is none */
} to_intra_bound;

/* The state while a function is lowered: values of `old` become buffers and graphs of `func`. */
typedef struct to_intra {
  pass_context *p;
  MlirOperation module;
  MlirOperation old;
  MlirOperation func;
  MlirBlock body;
  MlirOperation end; /* its func.return, before which kernels are built */
  bool is_bind;
  VEC(to_intra_bound) bound;
  map places; /* from a value of the old function to 1 + index in `buffers` or `graphs` */
  to_intra_values buffers;
  to_intra_values graphs;
  map stores; /* from a result of a loop to its index in `targets` */
  VEC(to_intra_values) targets;
  to_intra_values results; /* buffers of the function's results */
  map weight_counts;       /* from an interned symbol to the number of types; 0: not per type */
  map copies;              /* from an input to the workspace buffer to which it is copied */
  map copied;              /* from such an input to 1 once the copy is built */
  map name_counts;         /* from an interned name to the number of workspace buffers that wanted it */
} to_intra;

/* The buffer of a value; the graph that replaces a graph. */
MlirValue to_intra_buffer(const to_intra *t, MlirValue value);
MlirValue to_intra_graph(const to_intra *t, MlirValue graph);
/* The buffer in the workspace to which an input is copied before a routine reads it; null for other values. */
MlirValue to_intra_copy(const to_intra *t, MlirValue value);
/* The buffers to which a kernel stores a loop's result; NULL when the result is unused. */
const to_intra_values *to_intra_targets(const to_intra *t, MlirValue result);

/* Declares the buffers of arguments, weights, results, and everything that is stored between
 * kernels. False after an error. */
bool to_intra_declare(to_intra *t, MlirOperation old_bind);

/* Builds a kernel for one outer loop, before t->end. False after an error. */
bool to_intra_kernel(to_intra *t, MlirOperation loop);

/* Adds to bind the calls that make the edge sets, adjacencies and types that kernels of bind and of
 * the functions that run need. False after an error. */
bool to_intra_prepare_graphs(pass_context *p, MlirOperation bind, const to_intra_functions *runs);

/* Makes gnn.contract and gnn.sum_by read operands that a loop only gathers where they are stored; then the loop need not store them.
 * To be called before anything is declared. */
void to_intra_read_through(MlirOperation func, pass_context *p);
/* Whether an operation adds up rows: gnn.contract, gnn.sum_by. */
bool to_intra_adds_rows(MlirOperation op);
/* Lower them to their kernels. False after an error. */
bool to_intra_contract(to_intra *t, MlirOperation op);
bool to_intra_sum_by(to_intra *t, MlirOperation op);

/* Whether an operation of the gnn level works on groups in an order, and lowers it to its kernel. */
bool to_intra_is_ordered(MlirOperation op);
bool to_intra_ordered(to_intra *t, MlirOperation op);

#endif
