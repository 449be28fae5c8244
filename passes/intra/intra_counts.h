/* The work of the kernels of the intra level: rows, floating-point operations and bytes, as sums
 * over symbols such as |E|. No graph is needed; a caller who has one inserts its numbers. */
#ifndef GNNC_PASSES_INTRA_INTRA_COUNTS_H
#define GNNC_PASSES_INTRA_INTRA_COUNTS_H

#include "dialects/ir.h"
#include "support/arena.h"
#include "support/vec.h"

/* factor * (number of `rows`). rows is that of a buffer ("node:g", "edge:g.unique_src", "etype",
 * "one", "nonzero:FIELD"); or "at:SET:TYPE", the edges of a set at nodes of one type; or "pair:SET", ordered pairs of nodes of one graph; or "?", which
 * only a walk over the graph could count. */
typedef struct intra_term {
  const char *rows;
  int64_t factor;
} intra_term;

typedef VEC(intra_term) intra_sum;

typedef struct intra_kernel {
  const char *phase; /* "bind" or "run" */
  const char *kind;  /* the operation of the intra level: "gemm", "contract", "traverse", ... */
  const char *name;  /* of the first buffer that it writes */
  const char *rows;  /* the rows over which it runs, as in intra_term */
  const char *file;  /* place in the model; NULL and 0 when unknown */
  unsigned line;
  intra_sum products;      /* FLOPs of matrix products */
  intra_sum others;        /* all other FLOPs */
  intra_sum read, written; /* bytes */
} intra_kernel;

/* The number of types of a kind of rows, where the model determines it. */
typedef struct intra_count {
  const char *rows; /* "etype" ... */
  int64_t count;
} intra_count;

typedef struct intra_counts {
  VEC(intra_kernel) kernels; /* those of bind first, in order of execution */
  VEC(intra_count) types;
  VEC(const char *) phases; /* bind, then run, or those of training */
} intra_counts;

/* Counts the kernels of a module of the intra level with the costs of gnn_cost.def. All results are
 * in the arena.
 *
 * Products with a matrix are GEMM kernels and, within loops, gnn.linear and gnn.vector_inner of a
 * matrix and a vector. A load costs its bytes each time it is executed, but a value with one row or
 * one per type is read once per kernel. Ends, pairs and types of edges cost 4 bytes each time, row
 * pointers 8 bytes per row. Numbers of the caller are f32, all others f64 where `is_f64`. */
void intra_counts_collect(MlirOperation module, arena *a, bool is_f64, intra_counts *out);

#endif
