/* The table of gnn-run --table=json. Members that do not apply to a program are left out.
 *
 *   {"made_by": "gnn-run 0.1.0 with --table", "useful_multiply_adds": 1395824,
 *    "programs": [{"program": "gcn.bin", "machine": "toy", "cycles": 100, "device_ms": 0.1, ...}, {"program": "gcn.c", "measured": {"ms": 0.4, ...}}]} */
#include "tools/gnn-run/gnn_run_table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static void put_integer(json_t *to, const char *key, int64_t number) {
  json_object_set_new(to, key, json_integer(number));
}

/* JSON has no infinity and no NaN: they become null. */
static void put_real(json_t *to, const char *key, double number) {
  json_object_set_new(to, key, isfinite(number) ? json_real(number) : json_null());
}

/* Puts a text; characters that are not UTF-8 are replaced. */
static void put_text(json_t *to, const char *key, const char *value) {
  text t = {0};
  text_append_json(&t, value);
  json_t *made = json_loads(text_str(&t), JSON_DECODE_ANY, NULL);
  json_object_set_new(to, key, made ? made : json_string("?"));
  text_free(&t);
}

static void put_times(json_t *to, const table_row *r) {
  put_integer(to, "cycles", (int64_t)r->cycles);
  put_real(to, "device_ms", r->times.device);
  put_real(to, "link_ms", r->times.link);
  put_integer(to, "link_bytes", (int64_t)r->host.link_bytes);
  put_real(to, "launch_ms", r->times.launch);
  put_integer(to, "launches", (int64_t)r->host.launches);
  put_real(to, "host_ms", r->times.host);
  put_integer(to, "host_steps", (int64_t)r->host.steps);
  put_real(to, "sum_ms", r->times.sum);
}

static void put_work(json_t *to, const table_row *r) {
  put_real(to, "ddr_bytes", r->ddr_bytes);
  put_real(to, "bandwidth_gb_s", r->bandwidth_gb_s);
  put_real(to, "bandwidth_share", r->bandwidth_share);
  put_real(to, "multiply_adds", r->multiply_adds);
  put_integer(to, "host_multiply_adds", (int64_t)r->host.multiply_adds);
  if (r->useful) put_integer(to, "useful_multiply_adds", r->useful);
  put_real(to, "peak_multiply_adds", r->peak);
  put_real(to, "utilisation", r->utilisation);
  put_real(to, "device_share", r->device_share);
  put_real(to, "pj_per_mac", r->pj_per_mac);
  put_real(to, "pj_per_byte", r->pj_per_byte);
  put_real(to, "energy_mj", r->cycles ? r->energy_mj : NAN);
}

static void put_image(json_t *to, const table_row *r) {
  put_text(to, "device", r->device);
  put_real(to, "clock_mhz", r->clock_mhz);
  put_times(to, r);
  put_work(to, r);
  json_t *statistics = r->statistics ? json_loads(r->statistics, 0, NULL) : NULL;
  if (statistics) json_object_set_new(to, "statistics", statistics);
}

static void put_measured(json_t *to, const table *t, const table_row *r) {
  json_t *made = json_object();
  put_real(made, "ms", r->measured.median);
  put_real(made, "shortest_ms", r->measured.shortest);
  put_real(made, "longest_ms", r->measured.longest);
  put_integer(made, "threads", t->options->threads);
  put_integer(made, "runs", t->options->repeat);
  json_object_set_new(to, "measured", made);
}

static void put_outputs(json_t *to, const table_row *r) {
  const table_agreement *a = &r->agreement;
  if (a->is_known) {
    put_real(to, "difference", a->largest);
    put_real(to, "tolerance", a->tolerance);
    put_text(to, "output", a->output ? a->output : "");
    json_object_set_new(to, "agrees", json_boolean(!a->differs));
  }
  if (!r->num_accuracies) return;
  json_t *accuracy = json_object();
  for (int k = 0; k < r->num_accuracies; k++)
    put_real(accuracy, r->accuracies[k].name, (double)r->accuracies[k].right / (double)r->accuracies[k].counted);
  json_object_set_new(to, "accuracy", accuracy);
}

static json_t *row_json(const table *t, const table_row *r) {
  json_t *made = json_object();
  put_text(made, "program", r->path);
  if (r->error) {
    put_text(made, "error", r->error);
    return made;
  }
  put_text(made, "machine", r->machine);
  put_text(made, "model", r->model);
  if (r->is_image)
    put_image(made, r);
  else
    put_measured(made, t, r);
  put_outputs(made, r);
  return made;
}

status table_print_json(const table *t, text *out) {
  json_t *root = json_object(), *rows = json_array();
  for (int i = 0; i < t->count; i++) json_array_append_new(rows, row_json(t, &t->rows[i]));
  put_text(root, "made_by", run_describe_origin(t->arena, t->options, NULL).made_by);
  if (t->graph) {
    json_t *sizes = json_object();
    put_integer(sizes, "nodes", t->graph->num_nodes);
    put_integer(sizes, "edges", t->graph->num_edges);
    json_object_set_new(root, "graph", sizes);
  }
  if (table_useful(t)) put_integer(root, "useful_multiply_adds", table_useful(t));
  json_object_set_new(root, "timing_only", json_boolean(t->options->is_timing_only));
  json_object_set_new(root, "programs", rows);
  char *printed = json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
  json_decref(root);
  if (!printed) return status_error(STATUS_CODE_memory, "no memory for the table");
  text_printf(out, "%s\n", printed);
  free(printed);
  return STATUS_OK;
}
