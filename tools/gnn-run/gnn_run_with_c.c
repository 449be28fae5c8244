/* gnn-run --compare-with=c: compiles the sources in an image for the C target with the same sizes,
 * runs the result on the same graph and weights, and compares the outputs. */
#include "tools/gnn-run/gnn_run.h"

/* Compares outputs up to the first one that differs. */
static status compare_outputs(const run_outputs *found, const run_outputs *expected, const run_options *options,
                              bool *differs) {
  for (int32_t i = 0; i < expected->count && !*differs; i++) {
    const run_output *theirs = &expected->items[i], *ours = run_outputs_find(found, theirs->name);
    if (!ours) return status_error(STATUS_CODE_mismatch, "the program has no output '%s'", theirs->name);
    int64_t count = theirs->rows * theirs->elements;
    if (ours->rows * ours->elements != count)
      return status_error(STATUS_CODE_mismatch, "'%s' has %lld x %lld numbers there, %lld x %lld here", theirs->name,
                          (long long)theirs->rows, (long long)theirs->elements, (long long)ours->rows,
                          (long long)ours->elements);
    *differs = run_compare_values(options, theirs->name, ours->data, theirs->data, count);
    if (*differs) run_print(options->report, "compare: the first output that differs from C is %s\n", theirs->name);
  }
  return STATUS_OK;
}

status run_compare_with_c(const run_outputs *outputs, const run_model *model, const run_options *options,
                          bool *differs) {
  static const char *const flags[] = {NULL};
  arena *a = arena_create();
  run_reference reference;
  gnnc_session *session = NULL;
  status s = run_reference_open(a, model, flags, options, &reference);
  if (!s) s = gnnc_session_create(reference.program, options->graph, options->weights, &session);
  if (!s) s = gnnc_session_run(session, NULL);
  if (!s) {
    run_outputs expected = run_outputs_of_session(a, reference.program, session);
    const run_nodes nodes = {outputs->nodes, outputs->num_nodes};
    if (nodes.items) run_outputs_choose(a, &nodes, NULL, &expected);
    s = compare_outputs(outputs, &expected, options, differs);
  }
  gnnc_session_destroy(session);
  run_reference_close(a, model, &reference);
  arena_destroy(a);
  return status_context(s, "--compare-with=c");
}
