/* What the kernels of the intra level do: rows, floating-point operations and bytes of each, as
 * sums over symbols such as |E|. Nothing of the graph is needed; who has one puts numbers in. */
#ifndef GNNC_PASSES_INTRA_INTRA_COUNTS_H
#define GNNC_PASSES_INTRA_INTRA_COUNTS_H

#include "dialects/ir.h"
#include "support/arena.h"
#include "support/vec.h"

/* factor * (number of `rows`). rows is that of a buffer ("node:g", "edge:g.unique_src", "etype",
 * "one", "nonzero:FIELD"), or "at:SET:TYPE", the edges of a set at nodes of one type, or "?", what
 * only a walk over the graph could tell. */
typedef struct intra_term {
  const char *rows;
  int64_t factor;
} intra_term;

typedef VEC(intra_term) intra_sum;

typedef struct intra_kernel {
  const char *phase; /* "bind" or "run" */
  const char *kind;  /* "gemm", "traverse", "copy" or "extend_edges" */
  const char *name;  /* of the first buffer it writes */
  const char *rows;  /* what it runs over, as in intra_term */
  const char *file;  /* where the model says so; NULL and 0 when unknown */
  unsigned line;
  intra_sum products;      /* FLOPs of matrix products */
  intra_sum others;        /* all other FLOPs */
  intra_sum read, written; /* bytes */
} intra_kernel;

/* How many types a kind of rows has, where the model says so. */
typedef struct intra_count {
  const char *rows; /* "etype" ... */
  int64_t count;
} intra_count;

typedef struct intra_counts {
  VEC(intra_kernel) kernels; /* bind first, in order of execution */
  VEC(intra_count) types;
} intra_counts;

/* Counts the kernels of a module of the intra level with the costs of gnn_cost.def; everything
 * lives in the arena.
 *
 * Products with a matrix: GEMM kernels, and within loops gnn.linear and gnn.vector_inner of a
 * matrix and a vector. A load costs its bytes each time it is executed, but what has one row or one
 * per type is read once per kernel; ends, pairs and types of edges cost 4 bytes each time they are
 * asked for, row pointers 8 per row. Numbers of the caller are f32, the others f64 where
 * `is_f64`. */
void intra_counts_collect(MlirOperation module, arena *a, bool is_f64, intra_counts *out);

#endif
