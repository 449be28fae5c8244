/* Writes reproducers.
 *
 *   // RUN: gnn-opt %s --pass-pipeline='gnn-order{max-iterations=3},gnn-cse' --opt-level=2 --num-nodes=34
 *   module { ... }
 *
 * The module is copied as IR before each pass, if it has changed; it is printed only when a pass
 * fails. */
#include "passes/manager/pass_reproducer.h"

#include "support/file.h"

#include <signal.h>
#include <string.h>

static const char opening[] = "// RUN: gnn-opt %s ";
static const int fatal_signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* The content of the reproducer if the process crashes. */
static _Thread_local struct {
  MlirOperation copy;
  const pass_pipeline *pipeline;
  size_t first;
  const pass_run *run;
  struct sigaction before[SIGNALS];
} current;

static status write_copy(void) {
  const pass_run *run = current.run;
  text t = {0};
  text_printf(&t, "%s--pass-pipeline='", opening);
  pass_pipeline_print(&t, current.pipeline, current.first);
  text_printf(&t, "' --opt-level=%d", run->opt_level);
  if (run->verify_each) text_append(&t, " --verify-each");
#define STATISTIC(field, name, doc)                                                                                    \
  if (run->statistics.field >= 0) text_printf(&t, " --" name "=%lld", (long long)run->statistics.field);
#include "passes/manager/statistics.def"
  if (run->statistics.feature_density >= 0) text_printf(&t, " --density=%.17g", run->statistics.feature_density);
  text_append(&t, "\n");
  if (run->made_by) text_printf(&t, "// Made by %s.\n", run->made_by);
  ir_print(current.copy, true, &t);
  status s = file_write(run->reproducer, t.data, t.size);
  text_free(&t);
  return s;
}

bool pass_reproducer_write(void) {
  status s = write_copy();
  if (s) diag_report(current.run->diag, (span){NULL, 0, 0}, DIAG_pass_failed, "no reproducer: %s", status_message(s));
  status_free(s);
  return !s;
}

/* Printing is not safe in a signal handler, but the process is lost in any case, and a second crash
 * ends it at once. */
static void on_crash(int signal_number) {
  for (size_t i = 0; i < SIGNALS; i++) signal(fatal_signals[i], SIG_DFL);
  status s = write_copy();
  fprintf(stderr, "gnnc: internal error in pass '%s'; ", current.pipeline->items[current.first].name);
  if (s)
    fprintf(stderr, "no reproducer: %s\n", status_message(s));
  else
    fprintf(stderr, "please report it with '%s'\n", current.run->reproducer);
  fflush(stderr);
  raise(signal_number);
}

void pass_reproducer_begin(MlirOperation module, const pass_pipeline *pipeline, size_t first, const pass_run *run) {
  if (mlirOperationIsNull(current.copy)) current.copy = mlirOperationClone(module);
  current.pipeline = pipeline;
  current.first = first;
  current.run = run;
  struct sigaction action = {.sa_handler = on_crash};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < SIGNALS; i++) sigaction(fatal_signals[i], &action, &current.before[i]);
}

void pass_reproducer_end(bool is_changed) {
  for (size_t i = 0; i < SIGNALS; i++) sigaction(fatal_signals[i], &current.before[i], NULL);
  if (!is_changed) return;
  mlirOperationDestroy(current.copy);
  current.copy = (MlirOperation){NULL};
}

const char *pass_reproducer_arguments(arena *a, const char *content) {
  size_t size = strlen(opening);
  if (strncmp(content, opening, size) != 0) return NULL;
  return arena_strndup(a, content + size, strcspn(content + size, "\n"));
}
