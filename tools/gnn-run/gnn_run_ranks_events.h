/* gnn-run --cells --trace: what each rank computes and when, put together at rank 0. */
#ifndef GNNC_TOOLS_GNN_RUN_GNN_RUN_RANKS_EVENTS_H
#define GNNC_TOOLS_GNN_RUN_GNN_RUN_RANKS_EVENTS_H

#include "runtime/ranks.h"
#include "tools/gnn-run/gnn_run_profile.h"

typedef struct run_events {
  arena *arena;  /* of the process */
  profile calls; /* which the program reports */
  double zero;   /* when all ranks had opened their files */
  const profile_event *items;
  size_t count; /* of all ranks, at rank 0 */
} run_events;

/* Reads the calls from the manifest beside the C and makes the program report them. Fails where there is none. */
status run_events_open(arena *a, const gnnc_program *program, const run_options *options, run_events *out);

/* Makes the calls of this thread, which is a rank, events of `mine`; until end, which frees them. */
void run_events_begin(const run_events *e, int32_t rank, profile *mine);
void run_events_end(profile *mine);

/* Puts the events of all ranks together at rank 0. */
status run_events_gather(run_events *e, rank_session *r, const profile *mine);

/* Writes those of all ranks to the file of --trace. */
status run_events_write(const run_events *e, int32_t ranks, const run_options *options);

#endif
