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

/* What an event is. Calls between the beginning and the end of an exchange of ranks compute interior rows, and the same kernel
 * behind it the others. */
typedef enum profile_kind {
  PROFILE_call,
  PROFILE_interior,
  PROFILE_boundary,
  PROFILE_begin,   /* rows are packed and sent */
  PROFILE_exchange /* from the call of begin to the return of end */
} profile_kind;

/* One call as it happened, or an exchange by the number of its end. */
typedef struct profile_event {
  int32_t number, rank;
  profile_kind kind;
  double begin, end; /* seconds */
} profile_event;

enum { PROFILE_PHASES = 2, PROFILE_MOST_EVENTS = 100000 };

typedef struct profile {
  arena *arena;
  profile_call *calls;
  int32_t count;
  int32_t rank;
  VEC(profile_event) events; /* the first ones */
  bool is_exchanging;        /* between begin and end of an exchange */
  double begin_called, begin_returned;
  const char
      *overlapped; /* the kernel that computed interior rows in the last exchange, until it computes the others */
  double begin;    /* of the running call */
  double seconds[PROFILE_PHASES]; /* of bind; of all runs together */
  int64_t runs;
} profile;

extern const char *const profile_phases[PROFILE_PHASES]; /* bind, run */

/* Reads the calls from the manifest beside the C and computes what they cost on a graph; without one (NULL) costs are unknown. */
status profile_read(arena *a, const char *path, const graph *g, profile *out);

/* Makes the program report its calls, those of this thread to the profile; NULL: none. Fails where it was compiled without
 * GNNC_PROFILE. */
status profile_attach(const gnnc_program *program, profile *p);
/* Reports the calls of this thread to a profile of its own; NULL: to none. */
void profile_use(profile *p);
/* Tells it that an exchange has begun: of comm_watch_options. */
void profile_note_begin(double called, double returned);

/* Adds the line of the model to a JSON object; NULL: it has none. */
void profile_put_place(struct json_t *to, const char *file, int64_t line, const char *said);

/* Print tables to the report of the options and add the member "profile" to the statistics. */
void profile_report(const profile *p, const run_options *options);

/* Writes the events as a timeline in Chrome's trace format. */
status profile_write_trace(const profile *p, const char *path, const sim_origin *origin);
/* The same for the events of several ranks, one track for each; seconds count from a moment that they share. */
status profile_write_ranks(const profile *p, int32_t ranks, const profile_event *events, size_t count, const char *path,
                           const sim_origin *origin);

#endif
