/* Metrics of an output against the labels of a graph file: see score.h. */
#include "runtime/score.h"

#include "data/convert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const score_metric_row score_metrics[SCORE_METRIC_count] = {
#define METRIC(name, first, second) [SCORE_METRIC_##name] = {#name, {first, second}},
#include "runtime/score_metrics.def"
#undef METRIC
};

const char *const score_mask_names[SCORE_MASKS] = {"train", "val", "test"};

const char *const *score_metric_names(void) {
  static const char *const names[] = {
#define METRIC(name, first, second) #name,
#include "runtime/score_metrics.def"
#undef METRIC
  };
  return names;
}

/* ---- what is measured ---- */

static int64_t rows_in_graph(const graph *g, const score_output *o) {
  return o->is_per_node ? g->num_nodes : o->rows;
}

/* Whether a metric can be found from an output and labels; *has_class says whether a label is one of
 * its classes. */
static bool suits(score_metric metric, const score_output *o, const tensor *labels, int64_t rows, bool *has_class) {
  bool is_number = dtype_get_class(labels->dtype) != DTYPE_CLASS_opaque && rows > 0, is_list = labels->count == rows;
  bool is_class = is_list && dtype_get_class(labels->dtype) != DTYPE_CLASS_float;
  bool is_table = labels->count == rows * o->elements;
  *has_class = is_class && metric != SCORE_METRIC_mae && !o->is_per_edge;
  if (metric == SCORE_METRIC_mae) return is_number && is_table;
  if (metric == SCORE_METRIC_mrr) return is_number && (*has_class ? o->elements > 1 : o->is_per_edge && is_table);
  return is_number && (*has_class || is_table);
}

bool score_find_subject(const graph *g, score_metric metric, const score_output *outputs, int32_t count,
                        score_subject *out) {
  bool has_found = false;
  for (int32_t i = 0; i < count; i++) {
    const score_output *o = &outputs[i];
    bool has_class = false;
    if (!(o->is_per_node || o->is_per_graph || o->is_per_edge) || !o->elements) continue;
    const tensor *labels = tensor_set_find(g->tensors, o->is_per_edge ? "edge_label" : "y");
    if (!labels || !suits(metric, o, labels, rows_in_graph(g, o), &has_class)) continue;
    *out = (score_subject){.output = *o,
                           .index = i,
                           .labels = labels,
                           .has_class = has_class,
                           .skips_negative = has_class || (o->is_per_edge && metric != SCORE_METRIC_mae),
                           .all = rows_in_graph(g, o)};
    has_found = true;
    if (!strcmp(o->name, "logits")) break;
  }
  return has_found;
}

const tensor *score_find_mask(const graph *g, const score_subject *s, const char *name) {
  char field[32];
  snprintf(field, sizeof field, "%s_mask", name);
  const tensor *mask = tensor_set_find(g->tensors, field);
  return mask && mask->count == s->all ? mask : NULL;
}

/* ---- rows ---- */

static int64_t label_width(const score_subject *s) {
  return s->has_class ? 1 : s->output.elements;
}

/* Whether a row has a label: a class of 0 or more, or numbers. */
static bool is_labelled(const score_subject *s, const double *labels, int64_t width) {
  for (int64_t i = 0; i < width; i++)
    if (isnan(labels[i]) || (s->skips_negative && labels[i] < 0)) return false;
  return true;
}

status score_choose_rows(arena *a, const score_subject *s, const int64_t *nodes, const tensor *mask, score_rows *out) {
  const int64_t columns = s->output.elements, width = label_width(s), count = s->output.rows;
  *out = (score_rows){.rows = arena_alloc_array(a, (size_t)count + 1, sizeof *out->rows),
                      .in_graph = arena_alloc_array(a, (size_t)count + 1, sizeof *out->in_graph),
                      .labels = arena_alloc_array(a, (size_t)(count * width) + 1, sizeof *out->labels)};
  for (int64_t i = 0; i < count; i++) {
    int64_t row = nodes && s->output.is_per_node ? nodes[i] : i, next = out->count;
    double *labels = out->labels + next * width;
    if (mask && convert_element_f64(mask, row) == 0) continue;
    for (int64_t c = 0; c < width; c++) labels[c] = convert_element_f64(s->labels, row * width + c);
    if (!is_labelled(s, labels, width)) continue;
    if (s->has_class && labels[0] >= (double)(columns > 1 ? columns : 2))
      return status_error(STATUS_CODE_mismatch, "label %g of row %lld has no score: '%s' has %lld columns", labels[0],
                          (long long)row, s->output.name, (long long)columns);
    out->rows[next] = i;
    out->in_graph[next] = row;
    out->count++;
  }
  out->scores = arena_alloc_array(a, (size_t)(out->count * columns) + 1, sizeof *out->scores);
  return STATUS_OK;
}

/* ---- values ---- */

static double measure_mrr(arena *a, const graph *g, const score_rows *rows, const metric_rows *m) {
  if (m->has_class) return metric_mrr(m);
  int64_t *sources = arena_alloc_array(a, (size_t)m->rows + 1, sizeof *sources);
  for (int64_t i = 0; i < m->rows; i++) sources[i] = g->src[rows->in_graph[i]];
  return metric_mrr_of_groups(a, m, sources);
}

void score_measure(const graph *g, const score_subject *s, const score_rows *rows, const float *data,
                   score_metric metric, double values[SCORE_MOST_VALUES]) {
  const int64_t columns = s->output.elements;
  metric_rows m = {rows->scores, rows->labels, rows->count, columns, s->has_class};
  arena *a = arena_create();
  for (int64_t i = 0; i < rows->count; i++)
    memcpy(rows->scores + i * columns, data + rows->rows[i] * columns, (size_t)columns * sizeof *data);
  values[0] = values[1] = 0;
  switch (metric) {
  case SCORE_METRIC_accuracy: values[0] = metric_accuracy(&m); break;
  case SCORE_METRIC_f1: metric_f1(a, &m, &values[0], &values[1]); break;
  case SCORE_METRIC_auc: values[0] = metric_auc(a, &m); break;
  case SCORE_METRIC_mae: values[0] = metric_mae(&m); break;
  case SCORE_METRIC_mrr: values[0] = measure_mrr(a, g, rows, &m); break;
  }
  arena_destroy(a);
}
