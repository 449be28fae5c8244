/* gnn-run's parts: options, the summary, comparison, predictions. */
#ifndef GNNC_TOOLS_GNN_RUN_H
#define GNNC_TOOLS_GNN_RUN_H

#include "data/graph.h"
#include "data/tensor.h"
#include "runtime/gnnc/runtime.h"
#include "support/status.h"

typedef struct run_options {
  const char *program;
  const char *graph, *weights, *output, *compare, *nodes, *library;
  double tolerance;
  long threads, repeat;
  bool has_stats, has_predictions, keeps_files, is_portable, wants_help, wants_version;
} run_options;

/* Reads the command line; false after a message on stderr. */
bool run_options_parse(int count, char **arguments, run_options *options);
void run_options_help(void);

/* Reads node numbers, separated by blanks or lines; that the graph has them is checked later. */
status run_read_nodes(arena *a, const char *path, int64_t **nodes, int64_t *count);

/* Compares the outputs with the tensors of a file that have their names; prints one line each. *differs tells whether any does
 * by more than tolerance * max(1, largest expected magnitude). */
status run_compare(const gnnc_program *program, const gnnc_session *session, const run_options *options, bool *differs);

/* Prints the accuracy on each mask of the graph, where it has labels and an output has a score per class; and the predicted
 * label of each node where asked for; `nodes` (may be NULL) are the graph's. */
status run_report_predictions(const gnnc_program *program, const gnnc_session *session, const run_options *options,
                              const int64_t *nodes, int64_t node_count);

#endif
