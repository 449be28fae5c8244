/* gnn-run on programs in C: compiles them, binds them to the graph and the weights, and runs and
 * times them. */
#include "runtime/gnnc/executor.h"
#include "runtime/session.h"
#include "support/number.h"
#include "tools/gnn-run/gnn_run_profile.h"

#include <jansson.h>
#include <stdlib.h>

status run_repeatedly(gnnc_session *session, const gnnc_context *context, const run_options *options, double *seconds) {
  status s = STATUS_OK;
  progress_step("run", options->repeat > 1 ? "runs" : NULL, options->repeat > 1 ? options->repeat : 0);
  for (long i = 0; i < options->repeat && !s; i++) {
    s = gnnc_session_run(session, context);
    seconds[i] = gnnc_session_get_statistics(session).run_seconds;
    progress_set(i + 1);
  }
  progress_step("", NULL, 0);
  number_sort(seconds, (size_t)options->repeat);
  return s;
}

static const char *rows_text(const gnnc_tensor_info *info) {
  static const char *const names[] = {"",          "nodes x ",          "edges x ", "edge types x ", "node types x ",
                                      "graphs x ", "nodes of a type x "};
  return names[info->rows];
}

static void print_summary(const gnnc_program *program, const gnnc_session *session, const session_request *request,
                          const run_options *options, const double *seconds) {
  const gnnc_model_info *info = gnnc_program_info(program);
  FILE *to = options->report;
  gnnc_session_statistics s = gnnc_session_get_statistics(session);
  fprintf(to, "model: %s\n", info->name);
  const graph *g = request->graph;
  fprintf(to, "graph: %lld nodes, %lld edges", (long long)g->num_nodes, (long long)g->num_edges);
  if (g->num_graphs) fprintf(to, ", %lld graphs", (long long)g->num_graphs);
  fprintf(to, "\n");
  if (request->field)
    fprintf(to, "computed: %lld nodes, %lld edges, on which the chosen nodes depend\n", (long long)s.num_nodes,
            (long long)s.num_edges);
  for (int32_t i = 0; i < info->num_outputs; i++) {
    fprintf(to, "output: %s: %sf32[", info->outputs[i].name, rows_text(&info->outputs[i]));
    for (int32_t d = 0; d < info->outputs[i].rank; d++)
      fprintf(to, "%s%lld", d ? ", " : "", (long long)info->outputs[i].dims[d]);
    fprintf(to, "]\n");
  }
  fprintf(to, "bind: %.3f ms\n", s.bind_seconds * 1e3);
  fprintf(to, "run: %.3f ms", seconds[options->repeat / 2] * 1e3);
  if (options->repeat > 1) fprintf(to, " (median of %ld)", options->repeat);
  fprintf(to, ", %ld thread%s\n", options->threads, options->threads == 1 ? "" : "s");
  if (!options->has_stats || options->has_json) return;
  fprintf(to, "run, shortest: %.3f ms\nrun, longest: %.3f ms\n", seconds[0] * 1e3, seconds[options->repeat - 1] * 1e3);
  fprintf(to, "bound block: %zu bytes\nworkspace: %zu bytes\n", s.bound_bytes, s.workspace_bytes);
  fprintf(to, "peak memory: %zu bytes: inputs %zu, outputs %zu, bound block, workspace\n",
          s.input_bytes + s.output_bytes + s.bound_bytes + s.workspace_bytes, s.input_bytes, s.output_bytes);
  fprintf(to, "inputs: %d, weights: %d, outputs: %d\n", info->num_inputs, info->num_weights, info->num_outputs);
}

/* Makes the members of --stats=json. */
static status describe_run(arena *a, const gnnc_program *program, const gnnc_session *session,
                           const session_request *request, run_options *options, const double *seconds) {
  gnnc_session_statistics s = gnnc_session_get_statistics(session);
  const graph *g = request->graph;
  long repeat = options->repeat;
  RETURN_IF_ERROR(run_results_begin(options, NULL));
  run_results_put(options, "made_by", json_string(run_describe_origin(a, options, NULL).made_by));
  run_results_put(options, "model", json_string(gnnc_program_info(program)->name));
  run_results_put(options, "graph",
                  json_pack("{s:I,s:I}", "nodes", (json_int_t)g->num_nodes, "edges", (json_int_t)g->num_edges));
  run_results_put(options, "computed",
                  json_pack("{s:I,s:I}", "nodes", (json_int_t)s.num_nodes, "edges", (json_int_t)s.num_edges));
  run_results_put(options, "threads", json_integer(options->threads));
  run_results_put(options, "runs", json_integer(repeat));
  run_results_put(options, "bind_ms", json_real(1e3 * s.bind_seconds));
  run_results_put(options, "ms", json_real(1e3 * seconds[repeat / 2]));
  run_results_put(options, "shortest_ms", json_real(1e3 * seconds[0]));
  run_results_put(options, "longest_ms", json_real(1e3 * seconds[repeat - 1]));
  run_results_put(options, "bound_bytes", json_integer((json_int_t)s.bound_bytes));
  run_results_put(options, "workspace_bytes", json_integer((json_int_t)s.workspace_bytes));
  run_results_put(options, "input_bytes", json_integer((json_int_t)s.input_bytes));
  run_results_put(options, "output_bytes", json_integer((json_int_t)s.output_bytes));
  return STATUS_OK;
}

status run_use_outputs(arena *a, const run_outputs *outputs, const graph *g, const run_options *given, bool *differs) {
  run_options with_tolerance = *given, *options = &with_tolerance;
  if (options->tolerance < 0) options->tolerance = run_tolerance_of_c(options->program);
  RETURN_IF_ERROR(run_report_predictions(outputs, g, options));
  sim_origin origin = run_describe_origin(a, options, NULL);
  if (options->output) RETURN_IF_ERROR(run_write(outputs, &origin, options->output));
  if (options->compare) RETURN_IF_ERROR(run_compare(outputs, options, differs));
  if (!options->has_verify) return STATUS_OK;
  run_model model;
  RETURN_IF_ERROR(status_context(run_model_of_c(a, options->program, &model), "--verify"));
  return run_verify(outputs, &model, g, options, differs);
}

/* What a run computes: the rows of chosen nodes, or all. */
typedef struct selection {
  bool is_given;
  run_nodes nodes;
  const receptive_field *field; /* of the nodes; NULL: the run is on the whole graph */
} selection;

static bool has_only_node_rows(const gnnc_model_info *info) {
  for (int32_t i = 0; i < info->num_outputs; i++)
    if (info->outputs[i].rows != GNNC_ROWS_NODE) return false;
  return true;
}

/* Reads --nodes, and finds the part of the graph on which their rows depend where the manifest says
 * how far outputs reach. Outputs that are not per node are written whole, which needs the whole
 * graph. */
static status select_nodes(arena *a, const gnnc_program *program, const graph *g, const run_options *options,
                           selection *out) {
  *out = (selection){.is_given = options->nodes != NULL};
  if (!options->nodes) return STATUS_OK;
  RETURN_IF_ERROR(run_read_nodes(a, options->nodes, g->num_nodes, &out->nodes));
  run_model model;
  status s = has_only_node_rows(gnnc_program_info(program)) ? run_model_of_c(a, options->program, &model)
                                                            : status_error(STATUS_CODE_unsupported, "not per node");
  if (s || model.source.reach.extent == REACH_all) {
    status_free(s);
    return STATUS_OK;
  }
  receptive_field *field = arena_alloc(a, sizeof *field);
  receptive_field_find(a, g, &model.source.reach, out->nodes.items, out->nodes.count, field);
  out->field = field;
  return STATUS_OK;
}

static status report_profile(arena *a, const gnnc_session *session, profile *p, const run_options *options,
                             const double *seconds) {
  p->seconds[0] = gnnc_session_get_statistics(session).bind_seconds;
  for (long i = 0; i < options->repeat; i++) p->seconds[1] += seconds[i];
  p->runs = options->repeat;
  profile_report(p, options);
  sim_origin origin = run_describe_origin(a, options, NULL);
  return options->trace ? profile_write_trace(p, options->trace, &origin) : STATUS_OK;
}

static status begin_profile(arena *a, const gnnc_program *program, const session_request *request,
                            const run_options *options, profile *out) {
  if (!options->has_profile) return STATUS_OK;
  const graph *g = request->field ? &request->field->part : request->graph;
  status s = profile_read(a, options->program, g, out);
  return status_context(s ? s : profile_attach(program, out), "--profile");
}

static status run_session(arena *a, const gnnc_program *program, gnnc_session *session, const session_request *request,
                          const selection *chosen, profile *measured, run_options *options, bool *differs) {
  double *seconds = arena_alloc_array(a, (size_t)options->repeat, sizeof *seconds);
  RETURN_IF_ERROR(run_repeatedly(session, request->context, options, seconds));
  RETURN_IF_ERROR(profile_attach(program, NULL));
  print_summary(program, session, request, options, seconds);
  RETURN_IF_ERROR(describe_run(a, program, session, request, options, seconds));
  run_outputs outputs = run_outputs_of_session(a, program, session);
  if (options->has_profile) RETURN_IF_ERROR(report_profile(a, session, measured, options, seconds));
  if (chosen->is_given) run_outputs_choose(a, &chosen->nodes, chosen->field, &outputs);
  return run_use_outputs(a, &outputs, request->graph, options, differs);
}

static status bind_and_run(const gnnc_program *program, const gnnc_context *context, run_options *options,
                           bool *differs) {
  arena *a = arena_create();
  graph *g = NULL;
  gnnc_session *session = NULL;
  selection chosen;
  status s = graph_open(options->graph, &g);
  if (!s) s = select_nodes(a, program, g, options, &chosen);
  if (!s) {
    session_request request = {.graph = g, .weights = options->weights, .field = chosen.field, .context = context};
    profile measured;
    s = begin_profile(a, program, &request, options, &measured);
    if (!s) s = session_create(program, &request, &session);
    if (!s) s = run_session(a, program, session, &request, &chosen, &measured, options, differs);
  }
  gnnc_session_destroy(session);
  graph_close(g);
  arena_destroy(a);
  return s;
}

status run_open_program(const run_options *options, gnnc_program **program) {
  gnnc_program_options how = {
      .is_portable = options->is_portable, .keeps_files = options->keeps_files, .library = options->library};
  arena *a = arena_create();
  const char *flags = getenv("CFLAGS");
  if (options->has_profile || options->trace) how.flags = arena_printf(a, "%s -DGNNC_PROFILE", flags ? flags : "");
  progress_step("open the program", NULL, 0);
  status s = gnnc_program_open(options->program, &how, program);
  progress_step("", NULL, 0);
  arena_destroy(a);
  return s;
}

status run_c(run_options *options, bool *differs) {
  gnnc_program *program = NULL;
  if (options->cells) return run_ranks(options, differs);
  RETURN_IF_ERROR(run_open_program(options, &program));
  if (options->keeps_files && *gnnc_program_folder(program))
    fprintf(options->report, "kept: %s\n", gnnc_program_folder(program));
  gnnc_pool *pool = gnnc_pool_create((int32_t)options->threads);
  const gnnc_context context = {.size = sizeof context, .executor = pool ? gnnc_pool_executor(pool) : NULL};
  status s = pool ? bind_and_run(program, &context, options, differs)
                  : status_error(STATUS_CODE_memory, "no memory for %ld threads", options->threads);
  gnnc_pool_destroy(pool);
  gnnc_program_close(program);
  return s;
}
