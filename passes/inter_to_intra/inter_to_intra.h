/* Shared by the files of inter-to-intra. */
#ifndef GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_H
#define GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

typedef VEC(MlirValue) to_intra_values;

/* What bind keeps for run: one per result of the bind function. */
typedef struct to_intra_bound {
  const char *name;
  int64_t count; /* rows of values per type, 0 = none */
} to_intra_bound;

/* The function being lowered: values of `old` have become buffers and graphs of `func`. */
typedef struct to_intra {
  pass_context *p;
  MlirOperation module;
  MlirOperation old;
  MlirOperation func;
  MlirBlock body;
  MlirOperation end; /* its func.return; kernels go before it */
  bool is_bind;
  VEC(to_intra_bound) bound;
  map places; /* value of the old function -> 1 + index into `buffers` or `graphs` */
  to_intra_values buffers;
  to_intra_values graphs;
  map stores; /* result of a loop -> index into `targets` */
  VEC(to_intra_values) targets;
  to_intra_values results; /* the buffers of the function's results */
  map weight_counts;       /* interned symbol -> values per type, 0 = not per type */
  map name_counts;         /* interned name -> workspace buffers that wanted it */
} to_intra;

/* The buffer that holds a value, the graph that a graph has become. */
MlirValue to_intra_buffer(const to_intra *t, MlirValue value);
MlirValue to_intra_graph(const to_intra *t, MlirValue graph);
/* The buffers that a kernel stores a loop's result to; NULL when nobody reads it. */
const to_intra_values *to_intra_targets(const to_intra *t, MlirValue result);

/* Declares the buffers of arguments, weights, results and everything that is stored between
 * kernels. */
bool to_intra_declare(to_intra *t, MlirOperation old_bind);

/* One outer loop as a kernel before t->end. */
bool to_intra_kernel(to_intra *t, MlirOperation loop);

/* In bind: the calls that make the edge sets, adjacencies and types that kernels of both functions
 * need. */
bool to_intra_prepare_graphs(pass_context *p, MlirOperation bind, MlirOperation run);

#endif
