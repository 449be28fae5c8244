/* Statistics as JSON (see report.h):
 *
 *   {"made_by": "gnn-run 0.1.0 with --level=1", "program": "gnnc 0.1.0 with -O2", "device": {...}, "cycles": 123, "ms": 0.4, "host": {"steps": 0, ...}, "layers": [{"id": 0, "cycles": 100, "read": {"input": 64}, ...}], "pes": [{"compute": 90, ...}]} */
#include "sim/common/report.h"
#include "sim/common/report_names.h"
#include "sim/sim_class.h"

#include <jansson.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* JSON has no infinity and no NaN: they become null. */
static json_t *real_json(double x) {
  return isfinite(x) ? json_real(x) : json_null();
}

/* Bytes by kind of traffic; kinds without traffic are left out. */
static json_t *bytes_json(const uint64_t *bytes, const device *d) {
  json_t *made = json_object();
  for (int kind = 0; kind < SIM_KINDS; kind++)
    if (bytes[kind]) json_object_set_new(made, report_kind_name(d, kind), json_integer((json_int_t)bytes[kind]));
  return made;
}

/* The largest magnitudes by kind of traffic, those that are known. */
static json_t *largest_json(const double *largest, const device *d) {
  json_t *made = json_object();
  for (int kind = 0; kind < SIM_KINDS; kind++)
    if (largest[kind] > 0) json_object_set_new(made, report_kind_name(d, kind), real_json(largest[kind]));
  return made;
}

/* Cycles by state, with those in no state as idle. */
static json_t *states_json(const uint64_t *in, const sim_class *class, uint64_t idle) {
  json_t *made = json_object();
  for (int32_t k = 0; k < class->num_states; k++)
    json_object_set_new(made, class->state_names[k], json_integer((json_int_t)in[k]));
  json_object_set_new(made, "idle", json_integer((json_int_t)idle));
  return made;
}

static json_t *layer_json(int64_t id, const sim_stats *stats, const report_names *names, const device *d) {
  const sim_layer *l = &stats->layers[id];
  report_roof r = report_roofline(l, stats, d);
  report_name named = report_names_find(names, id);
  json_t *made = json_object();
  json_object_set_new(made, "id", json_integer(id));
  json_object_set_new(made, "type", json_string(l->type ? l->type : ""));
  json_object_set_new(made, "name", json_string(named.name));
  json_object_set_new(made, "file", json_string(named.file));
  json_object_set_new(made, "line", json_integer(named.line));
  json_object_set_new(made, "begin", json_integer((json_int_t)l->begin));
  json_object_set_new(made, "cycles", json_integer((json_int_t)l->cycles));
  json_object_set_new(made, "blocks", json_integer((json_int_t)l->blocks));
  json_object_set_new(made, "instructions", json_integer((json_int_t)l->instructions));
  json_object_set_new(made, "read", bytes_json(l->bytes_read, d));
  json_object_set_new(made, "written", bytes_json(l->bytes_written, d));
  json_t *largest = largest_json(l->largest, d);
  if (json_object_size(largest)) json_object_set(made, "largest", largest);
  json_decref(largest);
  json_object_set_new(made, "shared", json_integer((json_int_t)l->bytes_shared));
  json_object_set_new(made, "multiply_adds", json_integer((json_int_t)l->multiply_adds));
  json_object_set_new(made, "utilisation", real_json(r.utilisation));
  json_object_set_new(made, "bandwidth_share", real_json(r.bandwidth_share));
  json_object_set_new(made, "flops_per_byte", real_json(r.intensity));
  json_object_set_new(made, "gflops", real_json(r.attained_gflops));
  json_object_set_new(made, "bound_gflops", real_json(r.bound_gflops));
  json_object_set_new(made, "roof", json_string(r.is_under_slope ? "memory" : "compute"));
  json_object_set_new(made, "states", states_json(l->in, sim_class_of(d->machine), report_idle(l, stats, d)));
  json_object_set_new(made, "busy_most", json_integer((json_int_t)l->busy_most));
  json_object_set_new(made, "imbalance", real_json(report_imbalance(l, stats, d)));
  json_object_set_new(made, "bound", json_string(report_limit(l, stats, d)));
  return made;
}

static json_t *unit_json(const sim_unit *u, const sim_class *class, uint64_t cycles) {
  uint64_t known = 0;
  for (int32_t k = 0; k < class->num_states; k++) known += u->in[k];
  json_t *made = states_json(u->in, class, cycles > known ? cycles - known : 0);
  json_object_set_new(made, "utilisation", real_json(cycles ? (double)u->in[0] / (double)cycles : 0));
  return made;
}

/* The key for an array of units: "PE" becomes "pes". */
static void plural_of(const char *unit, char out[32]) {
  size_t n = 0;
  for (; unit[n] && n < 30; n++) out[n] = (char)tolower((unsigned char)unit[n]);
  out[n] = 's';
  out[n + 1] = '\0';
}

static json_t *device_of(const device *d) {
  char *printed = device_json(d);
  json_t *made = printed ? json_loads(printed, 0, NULL) : NULL;
  free(printed);
  return made ? made : json_object();
}

static json_t *host_json(const sim_host_stats *host, const image *im) {
  json_t *made = json_object();
  json_object_set_new(made, "steps", json_integer((json_int_t)host->steps));
  json_object_set_new(made, "flops", json_integer((json_int_t)host->flops));
  json_object_set_new(made, "bytes", json_integer((json_int_t)host->bytes));
  json_object_set_new(made, "multiply_adds", json_integer((json_int_t)host->multiply_adds));
  double all, share = report_device_share(host, im, &all);
  if (all > 0) json_object_set_new(made, "device_share", real_json(share));
  json_object_set_new(made, "ms", real_json(host->ms));
  json_object_set_new(made, "link_bytes", json_integer((json_int_t)host->link_bytes));
  json_object_set_new(made, "link_ms", real_json(host->link_ms));
  json_object_set_new(made, "launches", json_integer((json_int_t)host->launches));
  json_object_set_new(made, "launch_ms", real_json(host->launch_ms));
  return made;
}

status report_json(const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d,
                   const sim_origin *origin, char **out) {
  report_names *names = report_names_open(im);
  const sim_class *class = sim_class_of(d->machine);
  json_t *root = json_object(), *layers = json_array(), *units = json_array();
  char key[32];
  for (int64_t i = 0; i < stats->num_layers; i++) json_array_append_new(layers, layer_json(i, stats, names, d));
  for (int32_t i = 0; i < stats->num_units; i++)
    json_array_append_new(units, unit_json(&stats->units[i], class, stats->cycles));
  if (origin) {
    json_object_set_new(root, "made_by", json_string(origin->made_by));
    json_object_set_new(root, "program", json_string(origin->program));
  }
  json_object_set_new(root, "device", device_of(d));
  json_object_set_new(root, "cycles", json_integer((json_int_t)stats->cycles));
  json_object_set_new(root, "ms", real_json(stats->ms));
  json_object_set_new(root, "layers", layers);
  plural_of(class->unit, key);
  json_object_set_new(root, key, units);
  for (int32_t i = 0; i < stats->num_counters; i++)
    json_object_set_new(root, stats->counters[i].name, json_integer((json_int_t)stats->counters[i].value));
  if (host) json_object_set_new(root, "host", host_json(host, im));
  report_names_close(names);
  char *printed = json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
  json_decref(root);
  *out = NULL;
  if (!printed) return status_error(STATUS_CODE_memory, "no memory for the statistics");
  text t = {0};
  text_append(&t, printed);
  text_append(&t, "\n");
  free(printed);
  *out = t.data;
  return STATUS_OK;
}
