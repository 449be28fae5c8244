/* Shared by the files of gnn-run: options, the two kinds of programs, comparison, predictions. */
#ifndef GNNC_TOOLS_GNN_RUN_GNN_RUN_H
#define GNNC_TOOLS_GNN_RUN_GNN_RUN_H

#include "data/graph.h"
#include "data/tensor.h"
#include "runtime/gnnc/runtime.h"
#include "runtime/program.h"
#include "support/progress.h"
#include "support/status.h"

#include <stdio.h>

/* The kinds of programs to which an option applies. */
enum { RUN_C = 1, RUN_IMAGE = 2, RUN_BOTH = RUN_C | RUN_IMAGE };
enum { RUN_MOST_EDITS = 64 };

typedef struct run_options {
  const char *program;
  const char *graph, *weights, *output, *compare, *compare_with, *nodes, *library;
  double tolerance;
  progress_mode progress;
  long threads, repeat;
  bool has_stats, has_json, has_predictions, keeps_files, is_portable, wants_help, wants_version;

  /* of machines */
  const char *device, *trace;
  long level;
  bool is_timing_only;
  const char *edits[RUN_MOST_EDITS]; /* "KEY=VALUE", also of --memory, in their order */
  int num_edits;

  uint64_t given; /* options by their row in the table */
  FILE *report;   /* for the summary: standard output, or standard error where standard output gets JSON */
} run_options;

/* Reads the command line; false after a message on stderr. */
bool run_options_parse(int count, char **arguments, run_options *options);
/* Checks that the given options apply to the kind of the program; false after a message on stderr. */
bool run_options_check(const run_options *options, bool is_image);
void run_options_help(void);

/* Run a program in C (or a library made from it), or an image of a machine. *differs is true where
 * --compare or --compare-with found a difference. */
status run_c(const run_options *options, bool *differs);
status run_image(const run_options *options, bool *differs);

/* An output of a run, by a program in C or an image. */
typedef struct run_output {
  const char *name;
  bool is_per_node, is_per_graph, has_rows;
  int64_t rows, elements; /* elements of a row; rows is 1 without has_rows */
  int32_t rank;           /* of a row */
  const int64_t *dims;
  const float *data;
} run_output;

typedef struct run_outputs {
  const char *model;
  const run_output *items;
  int32_t count;
} run_outputs;

run_outputs run_outputs_of_session(arena *a, const gnnc_program *program, const gnnc_session *session);

/* Reads node numbers, separated by blanks or lines, each below num_nodes. */
status run_read_nodes(arena *a, const char *path, int64_t num_nodes, int64_t **nodes, int64_t *count);

/* Describes the origin of the results of a run, in the arena: gnn-run with the options that affect
 * them, and the compiler of the program. The compiler is "" for programs in C (p is NULL), which do
 * not name it. */
sim_origin run_describe_origin(arena *a, const run_options *options, const program_binary *p);

/* Writes the outputs as safetensors with their origin; of outputs per node only the rows in
 * `nodes`, if not NULL. */
status run_write(const run_outputs *outputs, const sim_origin *origin, const char *path, const int64_t *nodes,
                 int64_t node_count);

/* Compares the outputs with the tensors of a file that have their names, and prints one line each.
 * *differs is true where an element differs by more than tolerance * max(1, largest expected
 * magnitude). */
status run_compare(const run_outputs *outputs, const run_options *options, bool *differs);

/* The same for arrays of `count` numbers; returns true where they differ. */
bool run_compare_values(const run_options *options, const char *name, const float *found, const float *expected,
                        int64_t count);

/* Compiles the source that the program holds for the C target, with the sizes that it was compiled
 * with, runs it on the same graph and weights, and compares output by output up to the first that
 * differs. */
status run_compare_with_c(const run_outputs *outputs, const program_binary *p, const run_options *options,
                          bool *differs);

/* Prints the accuracy on each mask of the graph, where it has labels and an output has a score per
 * class, and with --predictions the predicted label of each node. `nodes` may be NULL; with g NULL
 * the function opens the graph. */
status run_report_predictions(const run_outputs *outputs, const graph *g, const run_options *options,
                              const int64_t *nodes, int64_t node_count);

/* Prints as printf does; characters of names in files that control a terminal become '?'. */
void run_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void run_print_lines(FILE *to, const char *lines);

#endif
