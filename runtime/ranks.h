/* One rank of a program that several compute together: its part of the graph, bound and run, and the outputs of all ranks put
 * together. Each rank has the files at hand and reads what its part needs; only rows of ghosts, and in the end outputs, go
 * through the network.
 *
 *   rank_session rank;
 *   status s = ranks_open(c, &request, &rank);            on every rank: part, inputs, bind
 *   if (!s) s = ranks_run(&rank);
 *   if (!s) s = ranks_gather(&rank, outputs);             rank 0: outputs of the whole graph
 *   ranks_close(&rank);
 *
 * Every function is called on all ranks. Most failures are those of all ranks, with one message, also those of bind and of the first run
 * before their first exchange; after a later one, of this rank alone, the caller makes the others fail. */
#ifndef GNNC_RUNTIME_RANKS_H
#define GNNC_RUNTIME_RANKS_H

#include "data/cells/cells.h"
#include "runtime/comm/comm.h"
#include "runtime/gnnc/executor.h"
#include "runtime/rank_part.h"
#include "runtime/session.h"

typedef struct ranks_request {
  const gnnc_program *program; /* made with gnnc --ranks */
  const graph *graph;          /* the whole */
  const cells *cells;          /* of the graph, at least as many as ranks */
  const char *weights;         /* the file; NULL: none */
  int32_t threads;             /* of each rank */
  bool has_columns;     /* ranks have columns of all nodes, for which the program is made, instead of rows and ghosts */
  spill *const *spills; /* [ranks] where what each has is kept; NULL: in memory */
  rank_watch watch;     /* of its exchanges */
} ranks_request;

typedef struct rank_session {
  comm *comm;
  const ranks_request *request;
  rank_part part;
  gnnc_context context;
  gnnc_pool *pool;
  arena *memory;
  gnnc_session *session;
  double run_seconds; /* of the last run, from the moment at which all ranks are ready */
} rank_session;

/* Whether a program can be one of several ranks on a graph; a failure says what it lacks. */
status ranks_check(const gnnc_program *program, const graph *g, const cells *c, int32_t ranks);

/* Whether an exchange takes place where ranks have columns, or rows. */
bool ranks_exchange_is_in(const gnnc_exchange_info *exchange, bool has_columns);

/* Makes the part of this rank, reads its inputs and binds. The caller closes it also after a failure. */
status ranks_open(comm *c, const ranks_request *request, rank_session *out);
void ranks_close(rank_session *r);

/* Computes the outputs of own nodes and the edges into them. */
status ranks_run(rank_session *r);

/* What all ranks took, at rank 0. */
typedef struct ranks_sizes {
  int64_t own, ghosts, interior, edges;
  int64_t out_edges;             /* into ghosts */
  int64_t bind_bytes, run_bytes; /* received in bind, and in all runs: rows of ghosts and of edges into ghosts */
  size_t memory_bytes;           /* inputs, outputs, bound block and workspace */
  double run_seconds;
} ranks_sizes;
/* Puts the sizes of each rank into all[ranks] at rank 0; other ranks may give NULL. */
status ranks_gather_sizes(rank_session *r, ranks_sizes *all);

/* Puts the bytes of all ranks, whose sizes only they know, one after another at rank 0; there *all is in the arena of the rank. */
status ranks_gather_bytes(rank_session *r, const void *mine, size_t bytes, char **all, size_t *total);

/* Puts the rows of all ranks into outputs[i], the rows of the whole graph, at rank 0; other ranks may give NULL. */
status ranks_gather(rank_session *r, float *const *outputs);

#endif
