/* What one rank has of a graph: its part, as a graph of its own, and the place among the ranks that a model gets in its
 * context.
 *
 *   rank_part part;
 *   status s = rank_part_open(c, g, &cut, GNNC_RANKS, memory, &part);      on every rank
 *   context.comm = &part.exchange;
 *   context.part = &part.numbers;
 *
 * Every function is called on all ranks. */
#ifndef GNNC_RUNTIME_RANK_PART_H
#define GNNC_RUNTIME_RANK_PART_H

#include "data/cells/cells.h"
#include "data/receptive_field.h"
#include "runtime/comm/comm.h"
#include "runtime/comm/comm_watch.h"
#include "runtime/gnnc/runtime.h"

/* Rows of a kind: see rank_part_list_rows and rank_part_share. */
typedef struct rank_rows {
  bool is_listed;
  int64_t count;
  const int64_t *places, *numbers;
  int32_t *ptr, *by_rank; /* rows of the graph by the rank that owns them; NULL until they are shared */
} rank_rows;

typedef struct rank_part {
  comm *comm;
  const graph *whole;
  const cells *cells;
  arena *memory;
  cells_part cut;
  receptive_field field; /* own nodes, then ghosts, as a graph */
  gnnc_part numbers;     /* of nodes and edges in the whole graph */
  gnnc_comm exchange;
  rank_rows rows[GNNC_ROWS_PART]; /* by kind */
  comm_watch watch;
  bool has_agreed;  /* that all ranks have come to the first exchange of bind, or of the first run */
  status disagreed; /* of a rank that did not come */
  bool is_alone;    /* it has failed, and others may not know of it: they wait for its rows */
} rank_part;

/* What a program of inference or training needs of ranks, of gnnc_rank_need; 0: it was made without --ranks. */
int32_t rank_part_needs(const gnnc_program *program);

/* Whether ranks can run a program on a graph; a failure says what is missing. */
status rank_part_check(const gnnc_program *program, const graph *g, const cells *c, int32_t ranks);

/* How exchanges are watched. */
typedef struct rank_watch {
  double delay_seconds;                          /* of rows, as of a slower network */
  void (*begun)(double called, double returned); /* told of exchanges, as comm_watch_options; NULL: nobody asks */
} rank_watch;

/* Makes the part of this rank; `needs` without GNNC_RANKS_COLUMNS: it has rows, though the program could have columns. With `keeps_in_memory` its arrays are in the arena, else rank_part_close frees them. The caller closes
 * it also after a failure. */
status rank_part_open(comm *c, const graph *g, const cells *cut, int32_t needs, arena *memory, bool keeps_in_memory,
                      rank_part *out);

/* Begins a phase, bind or the first run: until its first exchange it checks what it is given, and a rank may refuse that. */
void rank_part_begin(rank_part *r, const rank_watch *watch);
/* What came of bind, or of a run, on this rank: for all ranks where they have not agreed yet, else with the reason of a failed
 * exchange. */
status rank_part_conclude(rank_part *r, status s);

void rank_part_close(rank_part *r);

/* Fails on all ranks where they do not have the same program: they would wait for exchanges that never come. */
status rank_part_compare(rank_part *r, const gnnc_program *program);

/* Lists the rows of a tensor that this rank owns: their number, their places in its own tensor (NULL: the first ones), and the number
 * of each in the whole graph. Tensors without rows of the graph are the same on all ranks: then *numbers is NULL, and rank 0 has them
 * all. The lists are in the arena. */
int64_t rank_part_list_rows(rank_part *r, const gnnc_tensor_info *info, const int64_t **places,
                            const int64_t **numbers);

/* Gives all ranks the rows of all in `whole`, the tensor of the whole graph, from the rank's own tensor. Of nodes, edges, graphs of a
 * batch, or without rows of the graph. */
status rank_part_share(rank_part *r, const gnnc_tensor_info *info, const float *own, float *whole);

/* Puts the rows of own nodes of all ranks together, in the order of the graph: *whole is in the arena at rank 0, and NULL at others. `own`
 * is a tensor with a row for each node of the part. */
status rank_part_gather(rank_part *r, const gnnc_tensor_info *info, const float *own, arena *a, float **whole);

#endif
