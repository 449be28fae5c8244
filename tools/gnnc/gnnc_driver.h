/* What a run of gnnc is made of: the model, read and analysed once, and from it as many modules as
 * there are choices to try. */
#ifndef GNNC_TOOLS_GNNC_GNNC_DRIVER_H
#define GNNC_TOOLS_GNNC_GNNC_DRIVER_H

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
  double since;    /* start of the current phase, for --timing */
  bool is_misused; /* an option's text is wrong, which only shows when passes are known */
} gnnc_driver;

/* --timing: the time since the last call, under the name of the phase that just ended. */
void gnnc_driver_time(gnnc_driver *r, const char *phase);

/* The world is wrong: prints the status and frees it. False when all is well. */
bool gnnc_driver_failed(status s);
/* Writes a whole file; "-" or NULL is standard output. */
bool gnnc_driver_write(const char *path, const char *data);

/* Read the model into `program`; analyse it into `flat` and load the dialects. False after
 * reporting errors. */
bool gnnc_driver_parse(gnnc_driver *r);
bool gnnc_driver_analyze(gnnc_driver *r);

/* Warns of weights that are no finite numbers. */
void gnnc_check_weights(gnnc_driver *r);

/* Keeps what a target was given when it broke one of our rules, in the reproducer file, and says
 * so: `errors_before` is how many internal errors there were before. */
void gnnc_driver_keep_ir(gnnc_driver *r, MlirModule module, unsigned errors_before);

/* The model as a module of the gnn level, before any pass; the caller destroys it. */
MlirModule gnnc_driver_emit(gnnc_driver *r);
/* Writes the module, below a line that says what made it, where the options say; false after a message. */
bool gnnc_driver_write_ir(const gnnc_driver *r, MlirModule module);

/* The passes that the options and these switches mean, up to what `emit` prints, as text in the
 * arena. */
const char *gnnc_driver_pipeline(const gnnc_driver *r, const feature_set *features, gnnc_emit emit);

/* Runs the passes of these switches up to what `emit` prints. */
bool gnnc_driver_run_passes(gnnc_driver *r, MlirModule module, const feature_set *features, gnnc_emit emit);
/* C from a module after all passes; `header_name` may be NULL. The output is the caller's to free,
 * also on failure. */
bool gnnc_driver_generate(gnnc_driver *r, MlirModule module, const char *header_name, backend_source *output);

/* Frees what analysis loaded. */
void gnnc_driver_close(gnnc_driver *r);

#endif
