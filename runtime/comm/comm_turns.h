/* Ranks of one process, one after another, each with its memory in a file: for graphs larger than memory.
 *
 *   spill **spills = calloc(ranks, sizeof *spills);
 *   status s = comm_turns_run(ranks, "/scratch", spills, run_rank, &job);      run_rank uses spills[c->rank]
 *   comm_turns_close(spills, ranks); */
#ifndef GNNC_RUNTIME_COMM_COMM_TURNS_H
#define GNNC_RUNTIME_COMM_COMM_TURNS_H

#include "runtime/comm/comm.h"
#include "support/spill.h"

/* Opens a file in the folder for each rank, and runs ranks in turns as comm_threads_run does; a rank whose turn ends lets its pages go. A
 * failure says where the disk was full, if it was. */
status comm_turns_run(int32_t ranks, const char *folder, spill **spills, status (*body)(comm *c, void *user),
                      void *user);
void comm_turns_close(spill **spills, int32_t ranks);

#endif
