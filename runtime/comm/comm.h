/* Ranks that compute one graph together, whatever carries their messages: threads of one process
 * (comm_threads.h) or processes (comm_mpi.h). All ranks call the functions below in the same order.
 * test/unit/runtime/comm_test.h states what every engine does. */
#ifndef GNNC_RUNTIME_COMM_COMM_H
#define GNNC_RUNTIME_COMM_COMM_H

#include "data/cells/cells_part.h"
#include "runtime/gnnc/abi.h"

typedef struct comm comm;

typedef struct comm_engine {
  const char *name; /* "threads", "mpi" */
  /* Makes what the model gets in its context: begin packs own rows into one message for each neighbour, end unpacks
   * those that came, share gives all ranks the rows of all, share_edges gives neighbours the rows of edges from their nodes, transpose turns rows of own nodes into columns of all and back. The part must outlive its use. The engine frees what it holds in close. Fails on all ranks where it
   * fails on one, as where a neighbour's part is of other cells. */
  status (*exchange)(comm *c, const cells_part *part, gnnc_comm *out);
  /* Returns STATUS_OK where `mine` is STATUS_OK on all ranks, else on every rank the status of the lowest rank that has
   * another one, with the text "rank R: ...". Consumes mine. */
  status (*agree)(comm *c, status mine);
  /* Puts the bytes of all ranks one after another at rank 0, in the order of ranks. `all` and `sizes` [size] are read at
   * rank 0 only; sizes are known there. */
  status (*gather)(comm *c, const void *mine, size_t bytes, void *all, const size_t *sizes);
  /* The reason for the GNNC_ERROR_COMM that a function of the context returned, owned by the caller; STATUS_OK if they did not. After it,
   * call no other function than fail and close. */
  status (*explain)(comm *c);
  /* Ends the others, which wait in a function of the context, agree or gather and would wait for ever: their calls fail. Threads get
   * GNNC_ERROR_COMM or a status; MPI ends all processes, so the caller prints its message before. */
  void (*fail)(comm *c);
  /* After a failed function of the context the same as fail, which for MPI ends the processes. */
  void (*close)(comm *c);
} comm_engine;

struct comm {
  const comm_engine *engine;
  int32_t rank, size;
  int64_t bytes_received, exchanges; /* of rows of ghosts and of edges, since it was opened */
  int64_t bytes_shared;              /* rows of cells that came from other ranks */
  void *state;
};

#endif
