/* Shared by the files of gnn-run: options, the two kinds of programs, comparison, predictions, the
 * table of several programs. */
#ifndef GNNC_TOOLS_GNN_RUN_GNN_RUN_H
#define GNNC_TOOLS_GNN_RUN_GNN_RUN_H

#include "codegen/model_source.h"
#include "data/graph.h"
#include "data/receptive_field.h"
#include "data/tensor.h"
#include "runtime/gnnc/runtime.h"
#include "runtime/program.h"
#include "support/progress.h"
#include "support/status.h"

#include <stdio.h>

/* The kinds of programs to which an option applies, and whether it applies to --table. */
enum { RUN_C = 1, RUN_IMAGE = 2, RUN_BOTH = RUN_C | RUN_IMAGE, RUN_TABLE = 4 };
enum { RUN_MOST_EDITS = 64, RUN_MOST_PROGRAMS = 64 };
/* Runs of a program in C without --repeat: one, and more in a table, where times are compared. */
enum { RUN_REPEATS = 1, RUN_TABLE_REPEATS = 5 };
/* Nodes of --verify without a number. */
enum { RUN_VERIFIED = 64 };

typedef struct run_options {
  const char *program; /* the first of programs */
  const char *programs[RUN_MOST_PROGRAMS];
  int num_programs;
  const char *graph, *weights, *output, *compare, *compare_with, *nodes, *library, *cells, *from_disk;
  const char *completion; /* a shell; NULL: not given */
  double tolerance;       /* -1: not given */
  int64_t verified;       /* nodes of --verify; INT64_MAX: all */
  progress_mode progress;
  long threads, repeat; /* repeat 0: not given */
  long local_ranks;     /* threads that are ranks; 0: not given */
  long exchange_delay;  /* microseconds */
  const char *mode;     /* of ranks: auto, rows or columns; NULL: not given */
  bool has_table, has_table_json;
  bool has_stats, has_json, has_predictions, has_verify, has_profile, keeps_files, is_portable, wants_help,
      wants_version;

  /* of machines */
  const char *device, *trace;
  long level;
  bool is_timing_only;
  const char *edits[RUN_MOST_EDITS]; /* "KEY=VALUE", also of --memory, in their order */
  int num_edits;

  unsigned metrics;       /* bits of score_metric; 0: the accuracy, where the graph has labels */
  struct json_t *results; /* members of --stats=json; NULL without it */

  uint64_t given; /* options by their row in the table */
  FILE *report;   /* for the summary: standard output, or standard error where standard output gets JSON */
} run_options;

/* Reads the command line; false after a message on stderr. */
bool run_options_parse(int count, char **arguments, run_options *options);
/* Checks that the given options apply to the kind of the program; false after a message on stderr. */
bool run_options_check(run_options *options, bool is_image);
/* The same for --table. */
bool run_options_check_table(run_options *options);
void run_options_help(void);
/* Prints the script of --completion; false after a message. */
bool run_options_complete(const char *shell);

/* Run a program in C (or a library made from it), or an image of a machine. *differs is true where
 * --compare or --compare-with found a difference. */
status run_c(run_options *options, bool *differs);
status run_image(run_options *options, bool *differs);
/* The same for a program in C that several ranks run, each on a part of the graph (--cells). */
status run_ranks(run_options *options, bool *differs);
/* Compiles and loads a program in C, or loads a library of it. */
status run_open_program(const run_options *options, gnnc_program **program);

/* --table: runs all programs on the graph and prints what they take side by side. *differs is true
 * where a program failed, after a message, or its outputs differ from those of the first. */
status run_table(const run_options *options, bool *differs);

/* Makes the device on which an image runs: its own, or that of --device, with the changes of
 * --device-set and --memory in their order. */
status run_make_device(const program_binary *p, const run_options *options, device *out);
/* Runs the session as often as the options say; writes the times in seconds in rising order. */
status run_repeatedly(gnnc_session *session, const gnnc_context *context, const run_options *options, double *seconds);

/* An output of a run, by a program in C or an image. */
typedef struct run_output {
  const char *name;
  bool is_per_node, is_per_edge, is_per_graph, has_rows;
  int64_t rows, elements; /* elements of a row; rows is 1 without has_rows */
  int32_t rank;           /* of a row */
  const int64_t *dims;
  const float *data;
} run_output;

typedef struct run_outputs {
  const char *model;
  const run_output *items;
  int32_t count;
  const int64_t *nodes; /* the nodes whose rows the outputs per node have; NULL: all, in their order */
  int64_t num_nodes;    /* of them */
} run_outputs;

/* Chosen nodes by their numbers, in the user's order; they may repeat. */
typedef struct run_nodes {
  const int64_t *items;
  int64_t count;
} run_nodes;

run_outputs run_outputs_of_session(arena *a, const gnnc_program *program, const gnnc_session *session);
/* The outputs of the whole graph that ranks have computed. */
run_outputs run_outputs_of_ranks(arena *a, const gnnc_model_info *info, const graph *g, float *const *data);
/* Without a set the outputs have no numbers. */
run_outputs run_outputs_of_image(arena *a, const program_binary *p, const tensor_set *set);
/* Prints the accuracy of outputs of a program in C, writes, compares and verifies them, as the options say. */
status run_use_outputs(arena *a, const run_outputs *outputs, const graph *g, const run_options *options, bool *differs);
/* The output of a name; NULL where there is none. */
const run_output *run_outputs_find(const run_outputs *outputs, const char *name);

/* Leaves in outputs per node the rows of the given nodes. With a field the outputs are those of its
 * part of the graph. */
void run_outputs_choose(arena *a, const run_nodes *nodes, const receptive_field *field, run_outputs *outputs);

/* Reads node numbers, each below num_nodes, from --nodes: a list "0,5,10-12", or else the name of a
 * file. */
status run_read_nodes(arena *a, const char *given, int64_t num_nodes, run_nodes *out);

/* Chooses `count` nodes, or all if there are fewer; always the same ones, in rising order. */
void run_sample_nodes(arena *a, int64_t count, int64_t num_nodes, run_nodes *out);

/* Describes the origin of the results of a run, in the arena: gnn-run with the options that affect
 * them, and the compiler of the program. The compiler is "" for programs in C (p is NULL), which do
 * not name it. */
sim_origin run_describe_origin(arena *a, const run_options *options, const program_binary *p);

/* Writes the outputs as safetensors with their origin. */
status run_write(const run_outputs *outputs, const sim_origin *origin, const char *path);

/* Compares the outputs with the tensors of a file that have their names, and prints one line each.
 * *differs is true where an element differs by more than tolerance * max(1, largest expected
 * magnitude). */
status run_compare(const run_outputs *outputs, const run_options *options, bool *differs);

/* The largest difference of two arrays. NaN differs from everything but NaN. */
typedef struct run_difference {
  double largest; /* infinite where one of two numbers is NaN */
  double scale;   /* max(1, largest finite magnitude expected) */
  int64_t where;
} run_difference;
run_difference run_find_difference(const float *found, const float *expected, int64_t count);

/* Compares arrays of `count` numbers and prints a line; returns true where they differ. */
bool run_compare_values(const run_options *options, const char *name, const float *found, const float *expected,
                        int64_t count);

/* The model of a program: its name, and how it can be compiled again. */
typedef struct run_model {
  const char *name;
  model_source source; /* reach is not known for images */
} run_model;

/* Read it from an image, or from the manifest beside a program in C. The text is in the arena.
 * Fail where the program does not hold its source. */
status run_model_of_image(arena *a, const program_binary *p, run_model *out);
status run_model_of_c(arena *a, const char *path, run_model *out);
/* The tolerance that the manifest beside a program in C states, because it stores numbers of fewer bits; else, or without
 * a manifest, that of fp32. */
double run_tolerance_of_c(const char *path);

/* The model compiled anew for C. */
typedef struct run_reference {
  const char *folder;
  gnnc_program *program;
  graph_reach reach;
} run_reference;

/* Compiles a model for C with further options of gnnc, which end with NULL, with sizes from the graph
 * and the weights of the run. The caller closes it, also after a failure. */
status run_reference_open(arena *a, const run_model *model, const char *const *flags, const run_options *options,
                          run_reference *out);
void run_reference_close(arena *a, const run_model *model, run_reference *r);

/* --compare-with=c: compiles the model for C, runs it on the same graph and weights, and compares output
 * by output up to the first that differs. */
status run_compare_with_c(const run_outputs *outputs, const run_model *model, const run_options *options,
                          bool *differs);

/* Where an output differs: compares the values on the way to it, which have names in the model, in the
 * order of the program, up to the first that differs. */
status run_find_first_value(const program_binary *p, const run_model *model, const graph *g,
                            const run_options *options);

/* --verify: computes rows of the outputs again in double precision, on the part of the graph that
 * they depend on, and prints the largest differences. */
status run_verify(const run_outputs *outputs, const run_model *model, const graph *g, const run_options *options,
                  bool *differs);

/* The share of labelled rows for which the largest score is that of the label. */
typedef struct run_accuracy {
  const char *name; /* of the mask: "train", "val", "test"; "all" without masks */
  int64_t right, counted;
} run_accuracy;
enum { RUN_MASKS = 3 };

/* Finds the accuracy on each mask of the graph that has labelled rows; *count is 0 where the graph
 * has no labels or no output a score per class. */
status run_find_accuracies(arena *a, const run_outputs *outputs, const graph *g, run_accuracy out[RUN_MASKS],
                           int *count);

/* Prints the metrics of --metric, or else the accuracy on each mask of the graph, where it has labels and
 * an output has a score per class, and with --predictions the predicted label of each node. */
status run_report_predictions(const run_outputs *outputs, const graph *g, const run_options *options);

/* Prints the metrics of --metric on each mask of the graph. Fails where the graph has no labels for
 * one. */
status run_report_metrics(const run_outputs *outputs, const graph *g, const run_options *options);

/* The JSON of --stats=json: begin makes the members (from a JSON text, or none), put adds one and takes
 * over its value, print writes all to standard output. Without --stats=json they do nothing. */
status run_results_begin(run_options *options, const char *members);
void run_results_put(const run_options *options, const char *key, struct json_t *value);
status run_results_print(run_options *options);
void run_results_end(run_options *options);

/* Prints as printf does; characters of names in files that control a terminal become '?'. */
void run_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void run_print_lines(FILE *to, const char *lines);

#endif
