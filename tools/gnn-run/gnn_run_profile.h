/* gnn-run --profile: the time of each kernel of a program in C, and of each line of the model. */
#ifndef GNNC_TOOLS_GNN_RUN_GNN_RUN_PROFILE_H
#define GNNC_TOOLS_GNN_RUN_GNN_RUN_PROFILE_H

#include "support/vec.h"
#include "tools/gnn-run/gnn_run.h"

/* A call that generated code times, as the manifest describes it. Costs are of one call; -1: unknown. */
typedef struct profile_call {
  const char *phase, *function, *value; /* value: what it makes; may be NULL */
  const char *file, *text;              /* the line of the model; NULL: none */
  int64_t line;
  double flops, bytes;

  /* measured */
  double seconds; /* of all calls */
  int64_t calls;
} profile_call;

/* One call as it happened. */
typedef struct profile_event {
  int32_t number;
  double begin, end; /* seconds */
} profile_event;

enum { PROFILE_PHASES = 2, PROFILE_MOST_EVENTS = 100000 };

typedef struct profile {
  arena *arena;
  profile_call *calls;
  int32_t count;
  VEC(profile_event) events;      /* the first ones */
  double begin;                   /* of the running call */
  double seconds[PROFILE_PHASES]; /* of bind; of all runs together */
  int64_t runs;
} profile;

extern const char *const profile_phases[PROFILE_PHASES]; /* bind, run */

/* Reads the calls from the manifest beside the C and computes what they cost on a graph. */
status profile_read(arena *a, const char *path, const graph *g, profile *out);

/* Makes the program report its calls to the profile, of which there is one at a time; NULL: to none.
 * Fails where it was compiled without GNNC_PROFILE. */
status profile_attach(const gnnc_program *program, profile *p);

/* Print tables to the report of the options and add the member "profile" to the statistics. */
void profile_report(const profile *p, const run_options *options);

/* Writes the events as a timeline in Chrome's trace format. */
status profile_write_trace(const profile *p, const char *path, const sim_origin *origin);

#endif
