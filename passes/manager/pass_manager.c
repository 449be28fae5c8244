/* Runs one pass after another on the module, with the dumps, timing and verification that are asked
 * for between them.
 *
 * Our passes are called directly through their row; MLIR's run in a pass manager of their own. A
 * module that a pass left unchanged is neither verified nor copied again: half of the passes find
 * nothing to do, and both cost more than a pass. */
#include "passes/manager/pass_manager.h"

#include "passes/manager/pass_dump.h"
#include "passes/manager/pass_reproducer.h"
#include "support/clock.h"

typedef struct timing {
  double milliseconds;
  uint64_t changed;
  bool is_changed; /* or unknown, as for MLIR's passes */
} timing;

/* ---- one pass ---- */

static bool run_upstream(MlirOperation module, const pass_step *step) {
  MlirStringRef anchor = mlirStringRefCreateFromCString("builtin.module");
  MlirPassManager manager = mlirPassManagerCreateOnOperation(mlirOperationGetContext(module), anchor);
  MlirLogicalResult ok = mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                      mlirStringRefCreateFromCString(step->upstream), NULL, NULL);
  if (mlirLogicalResultIsSuccess(ok)) ok = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(ok);
}

static bool run_ours(MlirOperation module, const pass_step *step, const pass_run *run, uint64_t *changed) {
  pass_context p = {.context = mlirOperationGetContext(module),
                    .diag = run->diag,
                    .arena = arena_create(),
                    .options = step->options,
                    .statistics = run->statistics,
                    .opt_level = run->opt_level,
                    .name = step->name,
                    .remarks = run->remarks && pass_names_have(run->remarks, step->name)};
  bool ok = step->info->run(module, &p);
  *changed = p.changed;
  arena_destroy(p.arena);
  return ok;
}

static bool run_step(MlirOperation module, const pass_step *step, const pass_run *run, timing *spent) {
  double start = clock_seconds();
  bool ok = step->info ? run_ours(module, step, run, &spent->changed) : run_upstream(module, step);
  spent->is_changed = !step->info || spent->changed;
  spent->milliseconds = 1e3 * (clock_seconds() - start);
  return ok;
}

/* ---- the pipeline ---- */

static void report_failure(const pass_pipeline *pipeline, size_t index, const pass_run *run, bool is_broken,
                           unsigned errors_before) {
  const char *name = pipeline->items[index].name;
  span nowhere = {NULL, 0, 0};
  if (is_broken)
    diag_report(run->diag, nowhere, DIAG_internal, "pass '%s' left IR that breaks the rules of its level", name);
  else if (diag_error_count(run->diag) == errors_before)
    diag_report(run->diag, nowhere, DIAG_pass_failed, "pass '%s' failed", name);
  /* An unsupported model is the user's error, so no reproducer is written. */
  bool is_refusal = !is_broken && diag_error_count_of(run->diag, DIAG_unsupported) > 0;
  if (run->reproducer && !is_refusal && pass_reproducer_write())
    diag_note(run->diag, nowhere, "'gnn-opt --run-reproducer %s' runs pass '%s' again", run->reproducer, name);
}

static bool run_all(MlirOperation module, const pass_pipeline *pipeline, const pass_run *run, timing *times) {
  pass_dump dump = {0};
  pass_dump_begin(&dump, module, run);
  bool ok = true;
  for (size_t i = 0; ok && i < pipeline->count; i++) {
    const pass_step *step = &pipeline->items[i];
    unsigned errors_before = diag_error_count(run->diag);
    pass_dump_before(module, step, run);
    if (run->reproducer) pass_reproducer_begin(module, pipeline, i, run);
    ok = run_step(module, step, run, &times[i]);
    bool is_last = i + 1 == pipeline->count, is_broken = false;
    if (ok && ((run->verify_each && times[i].is_changed) || (is_last && !run->is_unverified)))
      is_broken = !ir_verify(module);
    if (ok) pass_dump_after(&dump, module, step, i + 1, run);
    if (!ok || is_broken) report_failure(pipeline, i, run, is_broken, errors_before);
    ok = ok && !is_broken;
    if (run->reproducer) pass_reproducer_end(!ok || is_last || times[i].is_changed);
  }
  return pass_dump_end(&dump) && ok;
}

static void print_timing(const pass_pipeline *pipeline, const timing *times, FILE *out) {
  double total = 0;
  for (size_t i = 0; i < pipeline->count; i++) total += times[i].milliseconds;
  fprintf(out, "%10s  %6s  %8s  %s\n", "ms", "%", "changes", "pass");
  for (size_t i = 0; i < pipeline->count; i++)
    fprintf(out, "%10.3f  %6.1f  %8llu  %s\n", times[i].milliseconds,
            total > 0 ? 100 * times[i].milliseconds / total : 0.0, (unsigned long long)times[i].changed,
            pipeline->items[i].name);
  fprintf(out, "%10.3f  %6.1f  %8s  total\n", total, 100.0, "");
}

bool pass_pipeline_run(MlirOperation module, const pass_pipeline *pipeline, const pass_run *run) {
  arena *a = arena_create();
  timing *times = arena_alloc_array(a, pipeline->count + 1, sizeof *times);
  bool ok = run_all(module, pipeline, run, times);
  if (run->timing) print_timing(pipeline, times, run->dumps ? run->dumps : stderr);
  arena_destroy(a);
  return ok;
}
