/* Runs a pipeline on a module, with dumps, timing, verification, and a reproducer when a pass
 * fails. gnnc and gnn-opt share it. */
#ifndef GNNC_PASSES_MANAGER_PASS_MANAGER_H
#define GNNC_PASSES_MANAGER_PASS_MANAGER_H

#include "passes/manager/pass_run.h"

/* Returns false after a pass or the verifier reported errors; the module is then unusable. */
bool pass_pipeline_run(MlirOperation module, const pass_pipeline *pipeline, const pass_run *run);

#endif
