/* The graph and weights files of the command line, as the front end and the passes need them. */
#ifndef GNNC_TOOLS_GNNC_GNNC_ENVIRONMENT_H
#define GNNC_TOOLS_GNNC_GNNC_ENVIRONMENT_H

#include "data/graph.h"
#include "passes/manager/pass.h"
#include "tools/gnnc/gnnc_options.h"

/* Both files, opened; NULL where none was given. */
typedef struct gnnc_files {
  tensor_set *weights;
  graph *graph;
  bool is_without_data;       /* --no-data: the run supplies fields that the graph file lacks */
  pass_statistics statistics; /* of the graph; the density is that of the input features named "x" */
} gnnc_files;

/* Opens the files that the options name. On failure no file stays open. */
status gnnc_files_open(const gnnc_options *o, gnnc_files *files);
void gnnc_files_close(gnnc_files *files);

/* Returns the same data as the environment of semantic analysis; lists live in the arena. */
sema_environment gnnc_files_environment(gnnc_files *files, const gnnc_options *o, arena *a);

#endif
