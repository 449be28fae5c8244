/* A row of --table for an image: runs it on its device and adds up the statistics of its layers. */
#include "sim/common/report.h"
#include "tools/gnn-run/gnn_run_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void describe_device(table *t, table_row *row, const device *d, const sim_stats *stats) {
  row->machine = arena_strdup(t->arena, d->machine->name);
  row->device = arena_strdup(t->arena, d->common.name);
  row->clock_mhz = d->common.clock_mhz;
  row->pj_per_mac = d->common.pj_per_mac;
  row->pj_per_byte = d->common.pj_per_byte;
  row->units = !stats->num_units ? ""
                                 : arena_printf(t->arena, "%d %s%s", stats->num_units, sim_unit_name(d->machine),
                                                stats->num_units == 1 ? "" : "s");
}

/* Adds up the layers. The peak of the device is that of its fastest layer. */
static void add_layers(table_row *row, const sim_stats *stats, const device *d) {
  for (int64_t i = 0; i < stats->num_layers; i++) {
    const sim_layer *l = &stats->layers[i];
    row->multiply_adds += (double)l->multiply_adds;
    row->peak = fmax(row->peak, l->peak);
    for (int kind = 0; kind < SIM_KINDS; kind++)
      row->ddr_bytes += (double)l->bytes_read[kind] + (double)l->bytes_written[kind];
  }
  double cycles = (double)stats->cycles;
  row->bandwidth_gb_s = stats->bandwidth_gb_s;
  row->utilisation = row->multiply_adds / (cycles * row->peak);
  row->bandwidth_share = row->ddr_bytes / (cycles * d->common.cycle_ns * stats->bandwidth_gb_s);
  row->energy_mj = 1e-9 * (row->multiply_adds * row->pj_per_mac + row->ddr_bytes * row->pj_per_byte);
}

static status fill_in(table *t, table_row *row, const program_binary *p, const program_session *session,
                      const sim_origin *origin) {
  const sim_stats *stats = program_session_statistics(session);
  const device *d = program_session_machine(session);
  row->tolerance = p->tolerance;
  double all;
  describe_device(t, row, d, stats);
  row->model = arena_strdup(t->arena, p->model);
  row->useful = p->useful_multiply_adds;
  row->cycles = stats->cycles;
  row->host = *program_session_host_statistics(session);
  table_times times = {
      .device = stats->ms, .link = row->host.link_ms, .launch = row->host.launch_ms, .host = row->host.ms};
  times.sum = times.device + times.link + times.launch + times.host;
  row->times = times;
  row->device_share = report_device_share(&row->host, &p->image, &all);
  add_layers(row, stats, d);
  char *json = NULL;
  if (!t->options->has_table_json) return STATUS_OK;
  RETURN_IF_ERROR(report_json(stats, &row->host, &p->image, d, origin, &json));
  row->statistics = arena_strdup(t->arena, json);
  free(json);
  return STATUS_OK;
}

static status read_outputs(table *t, table_row *row, const program_binary *p, program_session *session) {
  tensor_set *set = t->options->is_timing_only ? NULL : tensor_set_create("outputs");
  arena *a = arena_create();
  status s = set ? program_session_read(session, set) : STATUS_OK;
  if (!s) {
    run_outputs outputs = run_outputs_of_image(a, p, set);
    s = status_context(table_take_outputs(t, row, &outputs), "%s", row->path);
  }
  arena_destroy(a);
  if (set) tensor_set_destroy(set);
  return s;
}

/* Checks without a graph file that all images are for the same graph. */
static status check_graph(table *t, const table_row *row, const program_binary *p) {
  uint64_t found = p->image.graph_fingerprint;
  if (!t->fingerprint) {
    t->fingerprint = found;
    t->of_fingerprint = row->path;
  }
  if (!found || found == t->fingerprint) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch,
                      "%s: compiled for a graph with fingerprint %016" PRIx64 ", %s for one with %016" PRIx64,
                      row->path, found, t->of_fingerprint, t->fingerprint);
}

static status run_program(table *t, table_row *row, const program_binary *p) {
  const run_options *o = t->options;
  device made;
  RETURN_IF_ERROR(check_graph(t, row, p));
  RETURN_IF_ERROR(status_context(run_make_device(p, o, &made), "%s", row->path));
  sim_origin origin = run_describe_origin(t->arena, o, p);
  program_request request = {.graph = t->graph, .machine = &made};
  request.simulation =
      (sim_options){.level = (sim_level)o->level, .is_timing_only = o->is_timing_only, .origin = &origin};
  program_session *session = NULL;
  RETURN_IF_ERROR(program_session_create(p, &request, &session));
  status s = program_session_run(session);
  if (!s) s = fill_in(t, row, p, session, &origin);
  if (!s) s = read_outputs(t, row, p, session);
  program_session_destroy(session);
  return s;
}

status table_run_image(table *t, table_row *row) {
  program_binary *p = NULL;
  RETURN_IF_ERROR(program_open(row->path, &p));
  status s = run_program(t, row, p);
  program_close(p);
  return s;
}
