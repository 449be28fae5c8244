/* The state and the phases of a run of gnnc. The model is read and analysed once; each set of
 * switches makes a module of its own from it. */
#ifndef GNNC_TOOLS_GNNC_GNNC_DRIVER_H
#define GNNC_TOOLS_GNNC_GNNC_DRIVER_H

#include "data/reach.h"
#include "dialects/ir/ir_diagnostics.h"
#include "frontend/sema/sema.h"
#include "tools/gnnc/gnnc_environment.h"
#include "tools/gnnc/gnnc_options.h"

/* Everything that lives as long as the run. */
typedef struct gnnc_driver {
  gnnc_options options;
  arena *arena;
  diag *diag;
  gnnc_files files;
  ast_program program;
  const flat_program *flat;
  MlirContext context;
  ir_diagnostics diagnostics;
  double since;         /* start of the current phase, for --timing */
  graph_reach reach;    /* of the outputs, known once the passes have run for the C target */
  uint64_t fingerprint; /* of the model before all passes, known for the C target */
  int64_t useful;       /* multiply-adds, where has_useful (gnnc_useful.h) */
  bool has_useful;
  bool is_misused; /* an option is wrong, which is detected after parsing: exit status 2 */
} gnnc_driver;

/* Prints, for --timing, the time since the last call as the time of the phase `phase`. */
void gnnc_driver_time(gnnc_driver *r, const char *phase);

/* Returns whether `s` is an error, after printing and freeing it. */
bool gnnc_driver_failed(status s);
/* Writes a whole file; "-" or NULL is standard output. */
bool gnnc_driver_write(const char *path, const char *data);

/* Read the model into `program`; analyse it into `flat` and load the dialects. False after
 * reporting errors. */
bool gnnc_driver_parse(gnnc_driver *r);
bool gnnc_driver_analyze(gnnc_driver *r);

/* Warns of weights with NaN or infinite values. */
void gnnc_check_weights(gnnc_driver *r);

/* Writes the input of the target to the reproducer file and reports it, where the target reported
 * an internal error. `errors_before` is the number of internal errors before the target ran. */
void gnnc_driver_keep_ir(gnnc_driver *r, MlirModule module, unsigned errors_before);

/* Returns the model as a module of the gnn level, before any pass; the caller destroys it. */
MlirModule gnnc_driver_emit(gnnc_driver *r);
/* Writes the module to the output of the options, as text or for Graphviz, below a line that names
 * the compiler and its options; false after a message. */
bool gnnc_driver_write_ir(const gnnc_driver *r, MlirModule module);

/* Returns the passes for the options and these switches, up to the level that `emit` prints, as
 * text in the arena. */
const char *gnnc_driver_pipeline(const gnnc_driver *r, const feature_set *features, gnnc_emit emit);

/* Runs the passes of these switches up to the level that `emit` prints; false after a message. */
bool gnnc_driver_run_passes(gnnc_driver *r, MlirModule module, const feature_set *features, gnnc_emit emit);
/* Generates C from a module after all passes; `header_name` may be NULL. The caller frees the
 * output, also on failure. */
bool gnnc_driver_generate(gnnc_driver *r, MlirModule module, const char *header_name, backend_source *output);

/* Frees the context with its dialects, and closes the files. */
void gnnc_driver_close(gnnc_driver *r);

#endif
