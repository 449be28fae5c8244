/* Shared by the subcommands of gnn-data: options from a table, and messages. */
#ifndef GNNC_TOOLS_GNN_DATA_GNN_DATA_H
#define GNNC_TOOLS_GNN_DATA_GNN_DATA_H

#include "data/graph.h"
#include "data/load.h"
#include "support/thread_pool.h"

#include <stdbool.h>

enum { GNN_DATA_EXIT_done, GNN_DATA_EXIT_failed, GNN_DATA_EXIT_usage };

typedef struct gnn_data_option {
  const char *name;
  char letter;          /* 0 = long form only */
  const char *argument; /* its name in the help, NULL when there is none */
  const char *help;
} gnn_data_option;

typedef struct gnn_data_command {
  const char *name;
  const char *synopsis; /* the text after "gnn-data NAME" */
  const char *summary;
  const char *details;            /* further help, may be NULL */
  const gnn_data_option *options; /* up to the row without a name */
  int (*run)(const struct gnn_data_command *command, int argc, char **argv);
} gnn_data_command;

extern const gnn_data_command gnn_data_convert, gnn_data_generate, gnn_data_partition, gnn_data_stats, gnn_data_show;

/* Returns the row of the next option (its value in optarg), or one of the two below. It handles
 * --help and --version itself and sets *exit_code. */
enum { GNN_DATA_OPTIONS_end = -1, GNN_DATA_OPTIONS_exit = -2 };
int gnn_data_next_option(const gnn_data_command *command, int argc, char **argv, int *exit_code);

/* Prints the script of --completion for all commands; returns the exit code. */
int gnn_data_complete(const gnn_data_command *const *commands, int count, const char *shell);

/* Explain wrong usage (returns exit code 2), or a failure (returns 1 and frees the status). */
int gnn_data_usage(const gnn_data_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
int gnn_data_fail(status s);

/* Read an option's value; false after explaining what was expected. Counts take k, M and G for
 * thousands, millions and thousand millions. */
bool gnn_data_read_count(const gnn_data_command *command, const char *option, const char *value, int64_t *out);
bool gnn_data_read_number(const gnn_data_command *command, const char *option, const char *value, double *out);

/* Makes a pool for --threads: "2" (1 to 64), or one thread for each processor where value is NULL.
 * Returns NULL after explaining what was expected or that there is no memory. The caller destroys
 * the pool. */
thread_pool *gnn_data_make_pool(const gnn_data_command *command, const char *value);

/* The graph of a file in any format. */
typedef struct gnn_data_graph {
  arena *memory;
  tensor_set *tensors;
  graph *graph;
} gnn_data_graph;

/* Reads and checks a graph. The caller closes it, also after a failure. */
status gnn_data_open_graph(const char *path, load_format from, thread_pool *pool, gnn_data_graph *out);
void gnn_data_close_graph(gnn_data_graph *g);

#endif
