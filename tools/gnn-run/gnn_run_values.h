/* gnn-run --compare-with=c: the values that a program of a machine computes on its way, beside those of
 * the same model in C. */
#ifndef GNNC_TOOLS_GNN_RUN_GNN_RUN_VALUES_H
#define GNNC_TOOLS_GNN_RUN_GNN_RUN_VALUES_H

#include "tools/gnn-run/gnn_run.h"

/* A value by its name in the model; the numbers are valid during the call only. */
typedef struct values_value {
  const char *name, *file; /* file and line of the model; file NULL: unknown */
  int64_t line;
  int64_t rows, width;
  const float *data; /* [rows, width] in the user's order */
} values_value;

/* What asks for values. */
typedef struct values_observer {
  void *user;
  /* Returns the width of the rows of a value by its name; -1: the value is not wanted. */
  int64_t (*width_of)(void *user, const char *name);
  void (*take)(void *user, const values_value *value);
} values_observer;

/* Runs a program once more and shows each value that is wanted when it is computed: arrays of host steps,
 * and results of layers whose places the manifest states. A value may be shown several times, first
 * unfinished; the last time counts. */
status values_run(arena *a, const program_binary *p, const graph *g, const run_options *options,
                  const values_observer *observer);

#endif
