/* Evaluates scores per class: accuracy on the masks of the graph, predicted labels. */
#include "tools/gnn-run/gnn_run.h"

#include "data/convert.h"
#include "runtime/accuracy.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Finds the output with a row of scores per node or per graph: the one with the name "logits", else
 * the last. */
static const run_output *find_scores(const run_outputs *outputs) {
  const run_output *found = NULL;
  for (int32_t i = 0; i < outputs->count; i++) {
    const run_output *o = &outputs->items[i];
    if (!(o->is_per_node || o->is_per_graph) || o->rank != 1 || o->dims[0] < 2) continue;
    found = o;
    if (!strcmp(o->name, "logits")) break;
  }
  return found;
}

/* Returns the entries of a tensor of the graph that the rows of an output stand for: of the chosen
 * nodes, or all. */
static status read_entries(arena *a, const tensor *t, const run_outputs *outputs, const run_output *o,
                           const int32_t **out) {
  RETURN_IF_ERROR(convert_to_i32(a, t, out));
  if (!outputs->nodes || !o->is_per_node) return STATUS_OK;
  int32_t *made = arena_alloc_array(a, (size_t)o->rows + 1, sizeof *made);
  for (int64_t i = 0; i < o->rows; i++) made[i] = (*out)[outputs->nodes[i]];
  *out = made;
  return STATUS_OK;
}

/* Counts correct and labelled rows where the mask is set, or all rows without a mask. */
static run_accuracy find_accuracy(const char *name, const int32_t *mask, const int32_t *labels, const run_output *o) {
  accuracy_count found = accuracy_of(o->data, o->rows, o->elements, mask, labels);
  return (run_accuracy){.name = name, .counted = found.counted, .right = found.right};
}

status run_find_accuracies(arena *a, const run_outputs *outputs, const graph *g, run_accuracy out[RUN_MASKS],
                           int *count) {
  static const char *const masks[RUN_MASKS] = {"train", "val", "test"};
  const run_output *scores = find_scores(outputs);
  const tensor *labels = tensor_set_find(g->tensors, "y");
  const int32_t *values = NULL;
  *count = 0;
  if (!scores) return STATUS_OK;
  int64_t rows = scores->is_per_node ? g->num_nodes : scores->rows;
  if (!labels || labels->count != rows || dtype_get_class(labels->dtype) == DTYPE_CLASS_float) return STATUS_OK;
  RETURN_IF_ERROR(read_entries(a, labels, outputs, scores, &values));
  bool has_masks = false;
  for (int i = 0; i < RUN_MASKS; i++) {
    const tensor *mask = tensor_set_find(g->tensors, arena_printf(a, "%s_mask", masks[i]));
    const int32_t *set = NULL;
    if (!mask || mask->count != rows) continue;
    RETURN_IF_ERROR(read_entries(a, mask, outputs, scores, &set));
    has_masks = true;
    run_accuracy found = find_accuracy(masks[i], set, values, scores);
    if (found.counted) out[(*count)++] = found;
  }
  if (has_masks) return STATUS_OK;
  out[0] = find_accuracy("all", NULL, values, scores);
  *count = out[0].counted > 0;
  return STATUS_OK;
}

static void print_predictions(FILE *to, const run_output *o, const int64_t *nodes) {
  for (int64_t i = 0; i < o->rows; i++)
    fprintf(to, "%lld: %lld\n", (long long)(nodes && o->is_per_node ? nodes[i] : i),
            (long long)accuracy_find_class(o->data + i * o->elements, o->elements));
}

/* Prints the accuracy on each mask, where there are labels. */
static status report_accuracy(arena *a, const run_outputs *outputs, const graph *g, const run_options *options) {
  run_accuracy accuracies[RUN_MASKS];
  int count = 0;
  RETURN_IF_ERROR(run_find_accuracies(a, outputs, g, accuracies, &count));
  json_t *json = json_object();
  for (int i = 0; i < count; i++) {
    const run_accuracy *found = &accuracies[i];
    double share = (double)found->right / (double)found->counted;
    fprintf(options->report, "accuracy: %s %.4f (%lld of %lld)\n", found->name, share, (long long)found->right,
            (long long)found->counted);
    json_object_set_new(json, found->name, json_real(share));
  }
  if (count)
    run_results_put(options, "metrics", json_pack("{s:o}", "accuracy", json));
  else
    json_decref(json);
  return STATUS_OK;
}

status run_report_predictions(const run_outputs *outputs, const graph *g, const run_options *options) {
  const run_output *scores = find_scores(outputs);
  arena *a = arena_create();
  status failed = options->metrics ? run_report_metrics(outputs, g, options) : report_accuracy(a, outputs, g, options);
  arena_destroy(a);
  if (failed || !options->has_predictions) return failed;
  if (!scores) return status_error(STATUS_CODE_mismatch, "no output has scores per class");
  print_predictions(options->report, scores, outputs->nodes);
  return STATUS_OK;
}
