/* The command line of gnnc, read into one struct. */
#ifndef GNNC_TOOLS_GNNC_OPTIONS_H
#define GNNC_TOOLS_GNNC_OPTIONS_H

#include "frontend/sema/sema.h"
#include "isa/device.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"
#include "tools/gnnc/gnnc_features.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum gnnc_emit {
  GNNC_EMIT_target, /* the files of the target */
  GNNC_EMIT_ast,
  GNNC_EMIT_ast_json,
  GNNC_EMIT_gnn,
  GNNC_EMIT_inter,
  GNNC_EMIT_intra,
  GNNC_EMIT_c,
  GNNC_EMIT_counts,
  GNNC_EMIT_counts_json,
  GNNC_EMIT_device, /* from here on the overlay's: Layer Blocks, */
  GNNC_EMIT_asm,    /* instructions as text, */
  GNNC_EMIT_obj,    /* the image, which is also what the target writes */
} gnnc_emit;

typedef enum gnnc_target { GNNC_TARGET_graphagile, GNNC_TARGET_c } gnnc_target;

/* --device, --device-set, --memory, --preset, --no-data: what an overlay program is made for. */
typedef struct gnnc_image_options {
  device device;
  const char *file;        /* of the device; NULL = the default */
  VEC(const char *) edits; /* "key=value", in the order given */
  bool is_paper;           /* --preset=paper */
  bool is_without_data;
} gnnc_image_options;

typedef struct gnnc_options {
  const char *input;
  const char *output; /* NULL = not given */
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
  gnnc_features features;
  const char *remarks; /* passes, "*" for all, NULL for none */
  gnnc_target target;
  gnnc_emit emit;
  gnnc_image_options image;
  int opt_level;
  int32_t threads; /* 0 = not given */
  int32_t repeat;  /* compilations to time; 0 = not asked for */
  bool is_f64;
  bool is_print_pipeline;
  bool is_print_ir_after_all;
  bool is_print_ir_after_change;
  bool has_locations;
  bool is_timing;
  bool is_verify_each;
  bool is_verbose;
  bool has_stats;
} gnnc_options;

/* What main does with a command line: go on, or exit with this status (help was printed, usage was wrong). */
typedef enum gnnc_options_result {
  GNNC_OPTIONS_run,
  GNNC_OPTIONS_exit_success,
  GNNC_OPTIONS_exit_usage
} gnnc_options_result;

/* Reads the arguments. -W options go to `d`. Wrong usage is explained on standard error. */
gnnc_options_result gnnc_options_parse(int argc, char **argv, arena *a, diag *d, gnnc_options *out);

/* docs/errors.md, from support/diag.def. */
void gnnc_print_errors(FILE *out);

#endif
