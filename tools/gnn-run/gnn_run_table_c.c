/* A row of --table for a program in C: runs it on this computer and measures the time. */
#include "runtime/gnnc/executor.h"
#include "tools/gnn-run/gnn_run_table.h"

static status run_session(table *t, table_row *row, const gnnc_program *program, gnnc_session *session,
                          const gnnc_context *context) {
  const run_options *o = t->options;
  double *seconds = arena_alloc_array(t->arena, (size_t)o->repeat, sizeof *seconds);
  RETURN_IF_ERROR(run_repeatedly(session, context, o, seconds));
  row->measured = (table_measured){1e3 * seconds[0], 1e3 * seconds[o->repeat / 2], 1e3 * seconds[o->repeat - 1]};
  row->model = arena_strdup(t->arena, gnnc_program_info(program)->name);
  arena *a = arena_create();
  run_outputs outputs = run_outputs_of_session(a, program, session);
  status s = table_take_outputs(t, row, &outputs);
  arena_destroy(a);
  return s;
}

static status run_program(table *t, table_row *row, const gnnc_program *program) {
  gnnc_pool *pool = gnnc_pool_create((int32_t)t->options->threads);
  if (!pool) return status_error(STATUS_CODE_memory, "no memory for %ld threads", t->options->threads);
  const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
  gnnc_session *session = NULL;
  status s = gnnc_session_create_in(program, t->options->graph, t->options->weights, &context, &session);
  if (!s) s = run_session(t, row, program, session, &context);
  gnnc_session_destroy(session);
  gnnc_pool_destroy(pool);
  return s;
}

status table_run_c(table *t, table_row *row) {
  gnnc_program *program = NULL;
  gnnc_program_options how = {.is_portable = t->options->is_portable};
  row->machine = "c";
  row->tolerance = run_tolerance_of_c(row->path);
  RETURN_IF_ERROR(gnnc_program_open(row->path, &how, &program));
  status s = status_context(run_program(t, row, program), "%s", row->path);
  gnnc_program_close(program);
  return s;
}
