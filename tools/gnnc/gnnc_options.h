/* The command line of gnnc, read into one struct. */
#ifndef GNNC_TOOLS_GNNC_GNNC_OPTIONS_H
#define GNNC_TOOLS_GNNC_GNNC_OPTIONS_H

#include "codegen/backend.h"
#include "frontend/sema/sema.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/progress.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stdio.h>

/* The kind of output: the files of the target, or a row of gnnc_emits.def for --emit. */
typedef enum gnnc_emit {
  GNNC_EMIT_target,
#define EMIT(id, name, other) GNNC_EMIT_##id,
#include "tools/gnnc/gnnc_emits.def"
} gnnc_emit;

/* The device of a program: --device, --device-set, --memory. */
typedef struct gnnc_device_options {
  VEC(const char *) files; /* none: the machine's default; several for --target=all, each for its machine */
  VEC(const char *) edits; /* "key=value", in the order given */
} gnnc_device_options;

typedef struct gnnc_options {
  const char *input;
  const char *output;  /* NULL = not given */
  const char *depfile; /* "" = beside the output; NULL = no rule */
  const char *graph;
  const char *weights;
  const char *model;
  const char *pass_pipeline;
  const char *tune;   /* where to write a tuning, NULL = do not tune */
  const char *tuning; /* a tuning to read */
  const char *print_ir_tree;
  const char *reproducer;
  VEC(sema_dim_option) dims;
  VEC(const char *) include_dirs;
  VEC(const char *) print_ir_after;
  const char *remarks;                  /* passes, "*" for all, NULL for none */
  const char *target;                   /* a name of the table, "all"; NULL = not given */
  const char *preset;                   /* NULL = not given */
  const char *precision, *precision_of; /* a name or auto, a file; NULL = not given */
  gnnc_emit emit;
  gnnc_device_options device;
  backend_options code; /* with the target of the compilation */
  int32_t threads;      /* 0 = not given */
  int32_t repeat;       /* compilations to time; 0 = none */
  progress_mode progress;
  bool is_f64;
  bool is_dot; /* the level that `emit` prints becomes a graph for Graphviz */
  bool is_print_pipeline;
  bool is_print_ir_after_all;
  bool is_print_ir_after_change;
  bool has_locations;
  bool is_timing;
  bool is_verify_each;
  bool is_verbose;
  bool has_train; /* --train; --emit-grad makes a program of training, too */
  bool has_stats;
} gnnc_options;

/* The result of reading a command line: main continues, or exits with this status after help was
 * printed or wrong usage was explained. */
typedef enum gnnc_options_result {
  GNNC_OPTIONS_run,
  GNNC_OPTIONS_exit_success,
  GNNC_OPTIONS_exit_usage
} gnnc_options_result;

/* Reads the arguments. -W options go to `d`. Wrong usage is explained on standard error. */
gnnc_options_result gnnc_options_parse(int argc, char **argv, arena *a, diag *d, gnnc_options *out);

/* Prints the file of the library that defines the layer or has this name; false after a message
 * where there is none. */
bool gnnc_print_library(arena *a, const char *name, FILE *out);
/* Prints the folder of the files for Python; false after a message where there is none. */
bool gnnc_print_python(arena *a, FILE *out);

#endif
