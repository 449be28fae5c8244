/* Runs a pipeline on a module: dumps, timing, verification, a reproducer when a pass fails. Shared
 * by gnnc and gnn-opt. */
#ifndef GNNC_PASSES_MANAGER_PASS_MANAGER_H
#define GNNC_PASSES_MANAGER_PASS_MANAGER_H

#include "passes/manager/pass_run.h"

/* Returns false after a pass or the verifier reported errors; the module is then of no use. */
bool pass_pipeline_run(MlirOperation module, const pass_pipeline *pipeline, const pass_run *run);

#endif
