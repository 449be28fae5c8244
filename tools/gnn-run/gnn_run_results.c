/* Collects the members of --stats=json while a run goes on, and prints them at its end. */
#include "tools/gnn-run/gnn_run.h"

#include <jansson.h>
#include <stdlib.h>

void run_results_put(const run_options *options, const char *key, struct json_t *value) {
  if (options->results)
    json_object_set_new(options->results, key, value);
  else
    json_decref(value);
}

status run_results_begin(run_options *options, const char *members) {
  if (!options->has_json) return STATUS_OK;
  json_decref(options->results);
  options->results = members ? json_loads(members, 0, NULL) : json_object();
  return options->results ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for the statistics");
}

status run_results_print(run_options *options) {
  if (!options->results) return STATUS_OK;
  char *printed = json_dumps(options->results, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
  if (printed) printf("%s\n", printed);
  free(printed);
  return printed ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for the statistics");
}

void run_results_end(run_options *options) {
  json_decref(options->results);
  options->results = NULL;
}
