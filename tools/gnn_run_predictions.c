/* gnn-run's view of scores per class: accuracy on the masks of the graph, predicted labels. */
#include "tools/gnn_run.h"

#include "data/convert.h"
#include "support/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The output with a row of scores per node or per graph: the one called logits, else the last. */
static int32_t find_scores(const gnnc_model_info *info) {
  int32_t found = -1;
  for (int32_t i = 0; i < info->num_outputs; i++) {
    const gnnc_tensor_info *t = &info->outputs[i];
    if ((t->rows != GNNC_ROWS_NODE && t->rows != GNNC_ROWS_GRAPH) || t->rank != 1 || t->dims[0] < 2) continue;
    found = i;
    if (!strcmp(t->name, "logits")) break;
  }
  return found;
}

static int64_t find_largest(const float *scores, int64_t count) {
  int64_t best = 0;
  for (int64_t i = 1; i < count; i++)
    if (scores[i] > scores[best]) best = i;
  return best;
}

/* Right and labelled rows where the mask is set (or everywhere). */
static void print_accuracy(const char *name, const int32_t *mask, const int32_t *labels, const float *scores,
                           int64_t rows, int64_t classes) {
  int64_t right = 0, counted = 0;
  for (int64_t i = 0; i < rows; i++) {
    if ((mask && !mask[i]) || labels[i] < 0) continue;
    counted++;
    right += find_largest(scores + i * classes, classes) == labels[i];
  }
  if (counted)
    printf("accuracy: %s %.4f (%lld of %lld)\n", name, (double)right / (double)counted, (long long)right,
           (long long)counted);
}

static status print_accuracies(arena *a, const graph *g, const float *scores, int64_t rows, int64_t classes) {
  static const char *const masks[] = {"train", "val", "test"};
  const tensor *labels = tensor_set_find(g->tensors, "y");
  const int32_t *values = NULL;
  if (!labels || labels->count != rows || dtype_get_class(labels->dtype) == DTYPE_CLASS_float) return STATUS_OK;
  RETURN_IF_ERROR(convert_to_i32(a, labels, &values));
  int seen = 0;
  for (int i = 0; i < 3; i++) {
    const tensor *mask = tensor_set_find(g->tensors, arena_printf(a, "%s_mask", masks[i]));
    const int32_t *set = NULL;
    if (!mask || mask->count != rows) continue;
    RETURN_IF_ERROR(convert_to_i32(a, mask, &set));
    print_accuracy(masks[i], set, values, scores, rows, classes);
    seen++;
  }
  if (!seen) print_accuracy("all", NULL, values, scores, rows, classes);
  return STATUS_OK;
}

status run_report_predictions(const gnnc_program *program, const gnnc_session *session, const run_options *options,
                              const int64_t *nodes, int64_t node_count) {
  const gnnc_model_info *info = gnnc_program_info(program);
  int32_t index = find_scores(info);
  if (index < 0)
    return options->has_predictions ? status_error(STATUS_CODE_mismatch, "no output has scores per class") : STATUS_OK;
  int64_t rows = 0, classes = info->outputs[index].dims[0];
  const float *scores = gnnc_session_output(session, index, &rows);
  arena *a = arena_create();
  graph *g = NULL;
  status failed = graph_open(options->graph, &g);
  if (!failed) failed = print_accuracies(a, g, scores, rows, classes);
  bool is_chosen = nodes && info->outputs[index].rows == GNNC_ROWS_NODE;
  for (int64_t i = 0; options->has_predictions && !failed && i < (is_chosen ? node_count : rows); i++) {
    int64_t row = is_chosen ? nodes[i] : i;
    printf("%lld: %lld\n", (long long)row, (long long)find_largest(scores + row * classes, classes));
  }
  if (g) graph_close(g);
  arena_destroy(a);
  return failed;
}

status run_read_nodes(arena *a, const char *path, int64_t **nodes, int64_t *count) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(a, path, &data, &size));
  VEC(int64_t) made = {0};
  unsigned line = 1;
  for (char *at = data; *at;) {
    if (strchr(" \t\r\n,", *at)) {
      line += *at++ == '\n';
      continue;
    }
    char *end = NULL;
    long long n = strtoll(at, &end, 10);
    if (end == at || !strchr(" \t\r\n,", *end) || n < 0)
      return status_error(STATUS_CODE_format, "%s:%u: not a node number: '%.*s'", path, line,
                          (int)strcspn(at, " \t\r\n,"), at);
    VEC_PUSH(a, &made, (int64_t)n);
    at = end;
  }
  *nodes = made.items ? made.items : arena_alloc(a, sizeof **nodes);
  *count = (int64_t)made.count;
  return STATUS_OK;
}
