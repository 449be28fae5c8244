/* A pipeline: the passes to run, in order, with their options; and its text form.
 *
 *   gnn-cse,gnn-order{max-iterations=3},canonicalize      also inside builtin.module(...), func.func(...)
 *
 * Passes of passes.def run on the module; all other names are passed on to MLIR. */
#ifndef GNNC_PASSES_MANAGER_PASS_PIPELINE_H
#define GNNC_PASSES_MANAGER_PASS_PIPELINE_H

#include "passes/manager/pass.h"
#include "support/vec.h"

/* One pass of a pipeline. */
typedef struct pass_step {
  const pass_info *info; /* NULL: one of MLIR's */
  const char *name;      /* "gnn-order", "canonicalize" */
  const char *options;   /* "k=v k2=v2"; "" if none */
  const char *upstream;  /* of MLIR's passes: the text for its parser, options included: "func.func(canonicalize)" */
} pass_step;

/* A pipeline is in the arena with which it was built; begin with {0}. */
typedef VEC(pass_step) pass_pipeline;

/* Appends the passes that a text names. Returns false after reporting an error at its place in the
 * text: an unknown name (with the nearest one), an unknown option, a value that does not parse, a
 * missing bracket. */
bool pass_pipeline_parse(arena *a, MlirContext context, const char *text, diag *d, pass_pipeline *pipeline);
/* Appends one of our passes. */
void pass_pipeline_add(arena *a, pass_pipeline *pipeline, const pass_info *info, const char *options);
/* Appends the text form of the steps from `first` on. */
void pass_pipeline_print(text *out, const pass_pipeline *pipeline, size_t first);

#endif
