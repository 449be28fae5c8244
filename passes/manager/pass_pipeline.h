/* A pipeline: which passes run, in which order, with which options; and its text form.
 *
 *   gnn-cse,gnn-order{max-iterations=3},canonicalize      also inside builtin.module(...), func.func(...)
 *
 * Passes of passes.def run on the module; every other name is MLIR's and is handed to it. */
#ifndef GNNC_PASSES_MANAGER_PASS_PIPELINE_H
#define GNNC_PASSES_MANAGER_PASS_PIPELINE_H

#include "passes/manager/pass.h"
#include "support/vec.h"

typedef struct pass_step {
  const pass_info *info; /* NULL = one of MLIR's */
  const char *name;      /* "gnn-order", "canonicalize" */
  const char *options;   /* "k=v k2=v2", "" if none */
  const char *upstream;  /* MLIR's: the text its parser takes, "func.func(canonicalize)" */
} pass_step;

/* Lives in the arena it was built with; start from {0}. */
typedef VEC(pass_step) pass_pipeline;

/* Appends the passes that a text names. Returns false after reporting at the place in the text what
 * is wrong: an unknown name (with the nearest one), an unknown option, a value that does not parse,
 * a bracket that is missing. */
bool pass_pipeline_parse(arena *a, MlirContext context, const char *text, diag *d, pass_pipeline *pipeline);
/* Appends one of our passes. */
void pass_pipeline_add(arena *a, pass_pipeline *pipeline, const pass_info *info, const char *options);
/* Appends the text form of the steps from `first` on. */
void pass_pipeline_print(text *out, const pass_pipeline *pipeline, size_t first);

#endif
