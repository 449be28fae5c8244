/* gnn-run on images of machines: simulates the device and prints its time, its traffic and the
 * outputs. */
#include "tools/gnn-run/gnn_run.h"

#include "runtime/program.h"
#include "sim/common/report.h"
#include "support/clock.h"
#include "support/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the device ---- */

status run_make_device(const program_binary *p, const run_options *options, device *out) {
  *out = p->image.device;
  if (options->device) RETURN_IF_ERROR(device_read(options->device, p->image.device.machine, out));
  for (int i = 0; i < options->num_edits; i++) RETURN_IF_ERROR(device_edit(out, options->edits[i]));
  return STATUS_OK;
}

/* ---- progress ---- */

static void show_progress(void *user, uint64_t done, uint64_t all) {
  bool *has_begun = user;
  if (!*has_begun) progress_step("simulate", "blocks", (int64_t)all);
  *has_begun = true;
  progress_set((int64_t)done);
}

/* ---- the summary ---- */

static const char *rows_text(const program_tensor *t) {
  static const char *const names[][2] = {{"node", "nodes x "},
                                         {"edge", "edges x "},
                                         {"etype", "edge types x "},
                                         {"ntype", "node types x "},
                                         {"graph", "graphs x "}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (!strcmp(names[i][0], t->domain)) return names[i][1];
  return t->has_rows ? "rows x " : "";
}

static void print_summary(const program_binary *p, const program_session *session, const graph *g,
                          const run_options *options, double seconds) {
  FILE *to = options->report;
  const sim_stats *stats = program_session_statistics(session);
  const device *d = program_session_machine(session);
  run_print(to, "model: %s\n", p->model);
  if (g) run_print(to, "graph: %" PRId64 " nodes, %" PRId64 " edges\n", g->num_nodes, g->num_edges);
  for (int32_t i = 0; i < p->num_outputs; i++) {
    const program_tensor *t = &p->outputs[i];
    run_print(to, "output: %s: %sf32[", t->name, rows_text(t));
    for (int32_t k = 0; k < t->rank; k++) run_print(to, "%s%" PRId64, k ? ", " : "", t->dims[k]);
    run_print(to, "]\n");
  }
  run_print(to, "device: %s", d->common.name);
  if (stats->num_units)
    run_print(to, ", %d %s%s", stats->num_units, sim_unit_name(d->machine), stats->num_units == 1 ? "" : "s");
  run_print(to, "\n");
  run_print(to, "run: %" PRIu64 " cycles, %.6g ms%s\n", stats->cycles, stats->ms,
            options->is_timing_only ? " (timing only)" : "");
  const sim_host_stats *host = program_session_host_statistics(session);
  if (sim_host_has_work(host))
    run_print(to,
              "beside it: %" PRIu64 " host step%s, nominally %.6g ms; link %" PRIu64 " bytes, %.6g ms; %" PRIu64
              " launch%s, %.6g ms\n",
              host->steps, host->steps == 1 ? "" : "s", host->ms, host->link_bytes, host->link_ms, host->launches,
              host->launches == 1 ? "" : "es", host->launch_ms);
  text share = {0};
  if (sim_host_has_work(host)) report_print_share(&share, host, &p->image);
  run_print_lines(to, text_str(&share));
  text_free(&share);
  run_print(to, "simulation: %.3f s\n", seconds);
}

static status print_statistics(const program_binary *p, const program_session *session, run_options *options,
                               const sim_origin *origin) {
  const sim_stats *stats = program_session_statistics(session);
  const device *d = program_session_machine(session);
  if (options->has_json) {
    char *json = NULL;
    RETURN_IF_ERROR(report_json(stats, program_session_host_statistics(session), &p->image, d, origin, &json));
    status s = run_results_begin(options, json);
    free(json);
    return s;
  }
  if (options->has_stats) {
    text t = {0};
    report_print(&t, stats, program_session_host_statistics(session), &p->image, d);
    run_print_lines(stdout, text_str(&t));
    text_free(&t);
  }
  return STATUS_OK;
}

/* ---- outputs ---- */

/* Compiles the model of the program again and compares with it. */
static status compare_with_model(arena *a, const program_binary *p, const run_outputs *outputs, const graph *g,
                                 const run_options *options, bool *differs) {
  run_model model;
  const char *option = options->compare_with ? "--compare-with=c" : "--verify";
  RETURN_IF_ERROR(status_context(run_model_of_image(a, p, &model), "%s", option));
  bool differs_from_c = false;
  if (options->compare_with) RETURN_IF_ERROR(run_compare_with_c(outputs, &model, options, &differs_from_c));
  *differs |= differs_from_c;
  if (differs_from_c) RETURN_IF_ERROR(run_find_first_value(p, &model, g, options));
  return options->has_verify ? run_verify(outputs, &model, g, options, differs) : STATUS_OK;
}

static status use_outputs(arena *a, const program_binary *p, const run_outputs *all, const graph *g,
                          const run_options *given, const sim_origin *origin, bool *differs) {
  run_nodes nodes;
  run_outputs outputs = *all;
  run_options with_tolerance = *given, *options = &with_tolerance;
  if (options->tolerance < 0) options->tolerance = p->tolerance;
  if (options->nodes) {
    RETURN_IF_ERROR(run_read_nodes(a, options->nodes, g->num_nodes, &nodes));
    run_outputs_choose(a, &nodes, NULL, &outputs);
  }
  if (g) RETURN_IF_ERROR(run_report_predictions(&outputs, g, options));
  if (options->output) RETURN_IF_ERROR(run_write(&outputs, origin, options->output));
  if (options->compare) RETURN_IF_ERROR(run_compare(&outputs, options, differs));
  if (!options->compare_with && !options->has_verify) return STATUS_OK;
  return compare_with_model(a, p, &outputs, g, options, differs);
}

static status read_outputs(const program_binary *p, program_session *session, const graph *g,
                           const run_options *options, const sim_origin *origin, bool *differs) {
  tensor_set *set = tensor_set_create("outputs");
  arena *a = arena_create();
  status s = program_session_read(session, set);
  if (!s) {
    run_outputs outputs = run_outputs_of_image(a, p, set);
    s = use_outputs(a, p, &outputs, g, options, origin, differs);
  }
  arena_destroy(a);
  tensor_set_destroy(set);
  return s;
}

/* ---- runs ---- */

static status run_session(const program_binary *p, const graph *g, FILE *trace, run_options *options,
                          const sim_origin *origin, bool *differs) {
  device made;
  RETURN_IF_ERROR(run_make_device(p, options, &made));
  bool has_begun = false;
  program_request request = {.graph = g, .machine = &made};
  request.simulation = (sim_options){.level = (sim_level)options->level,
                                     .is_timing_only = options->is_timing_only,
                                     .origin = origin,
                                     .trace = trace,
                                     .user = &has_begun};
  request.simulation.progress = show_progress;
  program_session *session = NULL;
  progress_step("place the inputs", NULL, 0);
  RETURN_IF_ERROR(program_session_create(p, &request, &session));
  double begin = clock_seconds();
  progress_step("simulate", NULL, 0);
  status s = program_session_run(session);
  progress_step("", NULL, 0);
  if (!s) {
    print_summary(p, session, g, options, clock_seconds() - begin);
    s = print_statistics(p, session, options, origin);
  }
  if (!s && !options->is_timing_only) s = read_outputs(p, session, g, options, origin, differs);
  program_session_destroy(session);
  return s;
}

/* Opens the trace. A file gets its name only when it is complete; a pipe or a device is written
 * directly. */
static status open_trace(const char *path, file_writer **writer, FILE **trace) {
  RETURN_IF_ERROR(file_writer_open(path, writer));
  int fd = file_writer_descriptor(*writer);
  int copy = fd >= 0 ? dup(fd) : strcmp(path, "-") ? -1 : dup(STDOUT_FILENO);
  *trace = copy >= 0 ? fdopen(copy, "w") : fd < 0 && strcmp(path, "-") ? fopen(path, "w") : NULL;
  if (*trace) return STATUS_OK;
  file_writer_abandon(*writer);
  return status_error(STATUS_CODE_io, "cannot write '%s': %s", path, strerror(errno));
}

static status run_with_trace(const program_binary *p, const graph *g, run_options *options, const sim_origin *origin,
                             bool *differs) {
  if (!options->trace) return run_session(p, g, NULL, options, origin, differs);
  file_writer *writer = NULL;
  FILE *trace = NULL;
  RETURN_IF_ERROR(open_trace(options->trace, &writer, &trace));
  status s = run_session(p, g, trace, options, origin, differs);
  bool failed = ferror(trace);
  if ((fclose(trace) || failed) && !s) s = status_error(STATUS_CODE_io, "cannot write '%s'", options->trace);
  if (!s) return file_writer_commit(writer);
  file_writer_abandon(writer);
  return s;
}

status run_image(run_options *options, bool *differs) {
  program_binary *p = NULL;
  graph *g = NULL;
  status s = program_open(options->program, &p);
  if (!s && options->graph) s = graph_open(options->graph, &g);
  arena *a = arena_create();
  if (!s) {
    sim_origin origin = run_describe_origin(a, options, p);
    s = run_with_trace(p, g, options, &origin, differs);
  }
  arena_destroy(a);
  if (g) graph_close(g);
  program_close(p);
  return s;
}
