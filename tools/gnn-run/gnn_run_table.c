/* gnn-run --table: runs several programs on one graph, one after the other. A program that fails
 * gets a row with the message, and the others run nevertheless. */
#include "tools/gnn-run/gnn_run_table.h"

#include "runtime/kind.h"
#include "support/program.h"

#include <math.h>
#include <string.h>

static const float *copy_values(arena *a, const run_output *o) {
  size_t count = (size_t)(o->rows * o->elements);
  float *made = arena_alloc_array(a, count + 1, sizeof *made);
  if (count) memcpy(made, o->data, count * sizeof *made);
  return made;
}

static void keep_outputs(table *t, const run_outputs *outputs) {
  run_output *items = arena_alloc_array(t->arena, (size_t)outputs->count + 1, sizeof *items);
  for (int32_t i = 0; i < outputs->count; i++) {
    items[i] = outputs->items[i];
    items[i].name = arena_strdup(t->arena, outputs->items[i].name);
    items[i].dims = NULL;
    items[i].data = t->options->is_timing_only ? NULL : copy_values(t->arena, &outputs->items[i]);
  }
  t->expected = (run_outputs){.items = items, .count = outputs->count};
}

/* Compares one output; the row keeps the largest relative difference of all. */
static status compare_output(const table *t, const run_output *expected, const run_outputs *outputs,
                             table_agreement *agreement) {
  const run_output *found = run_outputs_find(outputs, expected->name);
  if (!found) return status_error(STATUS_CODE_mismatch, "no output '%s', which %s has", expected->name, t->first->path);
  if (found->rows != expected->rows || found->elements != expected->elements)
    return status_error(STATUS_CODE_mismatch, "output '%s' has %lld x %lld numbers, that of %s %lld x %lld",
                        expected->name, (long long)found->rows, (long long)found->elements, t->first->path,
                        (long long)expected->rows, (long long)expected->elements);
  if (t->options->is_timing_only) return STATUS_OK;
  run_difference d = run_find_difference(found->data, expected->data, found->rows * found->elements);
  double relative = d.largest / d.scale;
  if (agreement->output && relative <= agreement->largest) return STATUS_OK;
  agreement->largest = relative;
  agreement->output = expected->name;
  return STATUS_OK;
}

status table_take_outputs(table *t, table_row *row, const run_outputs *outputs) {
  bool has_values = !t->options->is_timing_only;
  if (has_values && t->graph)
    RETURN_IF_ERROR(run_find_accuracies(t->arena, outputs, t->graph, row->accuracies, &row->num_accuracies));
  if (!t->expected.count) {
    keep_outputs(t, outputs);
    t->first = row;
    return STATUS_OK;
  }
  table_agreement *a = &row->agreement;
  a->tolerance = t->options->tolerance >= 0 ? t->options->tolerance : fmax(t->first->tolerance, row->tolerance);
  for (int32_t i = 0; i < t->expected.count; i++) RETURN_IF_ERROR(compare_output(t, &t->expected.items[i], outputs, a));
  a->is_known = has_values;
  a->differs = a->largest > a->tolerance;
  return STATUS_OK;
}

static status run_row(table *t, table_row *row) {
  program_kind kind = PROGRAM_KIND_other;
  RETURN_IF_ERROR(program_kind_of(row->path, &kind));
  row->is_image = kind == PROGRAM_KIND_image;
  if (row->is_image) return table_run_image(t, row);
  if (t->options->graph) return table_run_c(t, row);
  return status_error(STATUS_CODE_mismatch, "%s: a program in C needs a graph: --graph FILE", row->path);
}

int64_t table_useful(const table *t) {
  for (int i = 0; i < t->count; i++)
    if (t->rows[i].useful) return t->rows[i].useful;
  return 0;
}

/* Reports a difference beyond the tolerance. */
static void explain_difference(const table *t, const table_row *row) {
  text name = {0};
  text_append_printable(&name, row->agreement.output);
  program_error("%s: output '%s' differs from that of %s by %.3g of max(1, largest value), allowed are %.3g", row->path,
                text_str(&name), t->first->path, row->agreement.largest, row->agreement.tolerance);
  text_free(&name);
}

static status print(const table *t) {
  text out = {0};
  status s = STATUS_OK;
  if (t->options->has_table_json)
    s = table_print_json(t, &out);
  else
    table_print(t, &out);
  if (!s) run_print_lines(stdout, text_str(&out));
  text_free(&out);
  return s;
}

static status run_all(table *t, bool *differs) {
  const run_options *o = t->options;
  t->rows = arena_alloc_array(t->arena, (size_t)o->num_programs, sizeof *t->rows);
  t->count = o->num_programs;
  for (int i = 0; i < t->count; i++) {
    table_row *row = &t->rows[i];
    row->path = o->programs[i];
    progress_step(row->path, NULL, 0);
    status s = run_row(t, row);
    if (s) row->error = arena_strdup(t->arena, status_message(s));
    status_free(s);
  }
  progress_step("", NULL, 0);
  RETURN_IF_ERROR(print(t));
  for (int i = 0; i < t->count; i++) {
    const table_row *row = &t->rows[i];
    if (row->error) program_error("%s", row->error);
    if (!row->error && row->agreement.differs) explain_difference(t, row);
    if (row->error || row->agreement.differs) *differs = true;
  }
  return STATUS_OK;
}

status run_table(const run_options *options, bool *differs) {
  graph *g = NULL;
  if (options->graph) RETURN_IF_ERROR(graph_open(options->graph, &g));
  table t = {.arena = arena_create(), .options = options, .graph = g};
  status s = run_all(&t, differs);
  arena_destroy(t.arena);
  graph_close(g);
  return s;
}
