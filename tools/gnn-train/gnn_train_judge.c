/* What an epoch of gnn-train is judged by: a metric on the rows of the masks, or the loss.
 *
 * The loss on the rows of val_mask is the loss of the model with val_mask in the place of
 * train_mask. */
#include "data/convert.h"
#include "support/program.h"
#include "tools/gnn-train/gnn_train.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int64_t count_rows(const gnnc_tensor_info *info, const graph *g) {
  switch (info->rows) {
  case GNNC_ROWS_NODE: return g->num_nodes;
  case GNNC_ROWS_EDGE: return g->num_edges;
  case GNNC_ROWS_GRAPH: return g->batch || g->num_graphs ? g->num_graphs : 1;
  default: return 0;
  }
}

/* Finds the output and the labels of a metric; the loss is no candidate. */
static bool find_subject(arena *a, const train_session *s, score_metric metric, score_subject *out) {
  int32_t count = s->info->num_outputs - 1;
  score_output *outputs = arena_alloc_array(a, (size_t)count + 1, sizeof *outputs);
  for (int32_t i = 0; i < count; i++) {
    const gnnc_tensor_info *info = &s->info->outputs[i];
    outputs[i] = (score_output){info->name,
                                info->rows == GNNC_ROWS_NODE,
                                info->rows == GNNC_ROWS_EDGE,
                                info->rows == GNNC_ROWS_GRAPH,
                                count_rows(info, s->graph),
                                train_elements(info)};
  }
  return score_find_subject(s->graph, metric, outputs, count, out);
}

/* ---- checks ---- */

static const char *row_word(gnnc_rows rows) {
  return rows == GNNC_ROWS_NODE ? "node" : rows == GNNC_ROWS_EDGE ? "edge" : rows == GNNC_ROWS_GRAPH ? "graph" : "row";
}

/* The mask that the loss reads marks something. */
static status check_mask(const train_session *s) {
  int32_t index = train_find_input(s, "train_mask");
  if (index < 0) return STATUS_OK;
  const gnnc_tensor_info *info = &s->info->inputs[index];
  const tensor *mask = tensor_set_find(s->graph->tensors, "train_mask");
  for (int64_t i = 0; mask && i < mask->count; i++)
    if (convert_element_f64(mask, i) != 0) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s: 'train_mask' marks no %s, so there is nothing to train on",
                      s->graph->name, row_word(info->rows));
}

/* A loss that reads no train_mask trains on the rows of all masks. */
static status check_use_of_masks(const train_session *s, const fit_options *o) {
  if (train_find_input(s, "train_mask") >= 0) return STATUS_OK;
  if (o->folds)
    return status_error(STATUS_CODE_mismatch,
                        "--folds: the loss of '%s' does not read 'train_mask', so it would be trained on all folds",
                        s->info->name);
  if (tensor_set_find(s->graph->tensors, "train_mask"))
    program_warning("the loss of '%s' does not read 'train_mask': the rows of all masks of %s are trained on",
                    s->info->name, s->graph->name);
  return STATUS_OK;
}

/* Rows that are trained on have the label of a class. */
static status check_labels(arena *a, const train_session *s) {
  score_subject subject;
  score_rows rows;
  if (train_find_input(s, "y") < 0 || !find_subject(a, s, SCORE_METRIC_accuracy, &subject) || !subject.has_class)
    return STATUS_OK;
  const tensor *mask = train_find_input(s, "train_mask") < 0 ? NULL : score_find_mask(s->graph, &subject, "train");
  RETURN_IF_ERROR(score_choose_rows(a, &subject, NULL, mask, &rows));
  int64_t next = 0, classes = subject.output.elements > 1 ? subject.output.elements : 2;
  for (int64_t i = 0; i < subject.all; i++) {
    if (mask && convert_element_f64(mask, i) == 0) continue;
    if (next < rows.count && rows.rows[next] == i) {
      next++;
      continue;
    }
    return status_error(STATUS_CODE_mismatch,
                        "label %g of %s %" PRId64 ", which is trained on, is no class: '%s' has classes 0 to %" PRId64,
                        convert_element_f64(subject.labels, i), subject.output.is_per_graph ? "graph" : "node", i,
                        subject.output.name, classes - 1);
  }
  return STATUS_OK;
}

/* ---- creation ---- */

static status use_loss(train_session *s, fit_judge *j) {
  int32_t index = train_find_input(s, "train_mask");
  j->has[0] = true;
  for (int i = 1; i < SCORE_MASKS && index >= 0; i++) {
    const char *field = arena_printf(s->memory, "%s_mask", score_mask_names[i]);
    const tensor *mask = tensor_set_find(s->graph->tensors, field);
    for (int64_t k = 0; mask && k < mask->count && !j->has[i]; k++) j->has[i] = convert_element_f64(mask, k) != 0;
    if (j->has[i]) RETURN_IF_ERROR(train_replace_input(s, index, field, &j->inputs[i]));
  }
  return STATUS_OK;
}

static status use_metric(arena *a, const train_session *s, fit_judge *j) {
  bool has_masks = false;
  for (int i = 0; i < SCORE_MASKS; i++) {
    const tensor *mask = score_find_mask(s->graph, &j->subject, score_mask_names[i]);
    if (!mask) continue;
    has_masks = true;
    RETURN_IF_ERROR(score_choose_rows(a, &j->subject, NULL, mask, &j->rows[i]));
    j->has[i] = j->rows[i].count > 0;
  }
  if (has_masks) return STATUS_OK;
  RETURN_IF_ERROR(score_choose_rows(a, &j->subject, NULL, NULL, &j->rows[0]));
  j->has[0] = j->rows[0].count > 0;
  return STATUS_OK;
}

status fit_judge_create(arena *a, train_session *s, const fit_options *options, fit_judge *out) {
  *out = (fit_judge){.metric = options->metric};
  RETURN_IF_ERROR(check_use_of_masks(s, options));
  RETURN_IF_ERROR(check_mask(s));
  RETURN_IF_ERROR(status_context(check_labels(a, s), "%s", s->graph->name));
  if (out->metric == FIT_METRIC_default)
    out->metric =
        find_subject(a, s, SCORE_METRIC_accuracy, &out->subject) ? (int)SCORE_METRIC_accuracy : (int)FIT_METRIC_loss;
  out->is_less_better = out->metric == FIT_METRIC_loss || out->metric == SCORE_METRIC_mae;
  if (out->metric == FIT_METRIC_loss) return use_loss(s, out);
  if (!find_subject(a, s, (score_metric)out->metric, &out->subject))
    return status_error(STATUS_CODE_mismatch,
                        "--metric=%s: %s has no labels for it: a field 'y' with a row for each row of an output, or "
                        "'edge_label'; --metric=loss needs none",
                        fit_metric_name(out->metric), s->graph->name);
  return status_context(use_metric(a, s, out), "%s", s->graph->name);
}

/* ---- an epoch ---- */

static status evaluate(const fit_judge *j, train_session *s, const void *const *inputs, float *loss) {
  return j->evaluation ? train_evaluation_run(j->evaluation, inputs, loss) : train_evaluate(s, inputs, loss);
}

static status judge_by_loss(const fit_judge *j, train_session *s, float loss, double values[SCORE_MASKS]) {
  values[0] = (double)loss;
  for (int i = 1; i < SCORE_MASKS; i++) {
    float found = 0;
    if (!j->has[i]) continue;
    RETURN_IF_ERROR(evaluate(j, s, j->inputs[i], &found));
    values[i] = (double)found;
  }
  return STATUS_OK;
}

status fit_judge_epoch(const fit_judge *j, train_session *s, float *loss, double values[SCORE_MASKS]) {
  for (int i = 0; i < SCORE_MASKS; i++) values[i] = (double)NAN;
  RETURN_IF_ERROR(evaluate(j, s, NULL, loss));
  if (j->metric == FIT_METRIC_loss) return judge_by_loss(j, s, *loss, values);
  for (int i = 0; i < SCORE_MASKS; i++) {
    double found[SCORE_MOST_VALUES];
    if (!j->has[i]) continue;
    score_measure(s->graph, &j->subject, &j->rows[i], s->outputs[j->subject.index], (score_metric)j->metric, found);
    /* of f1, micro is the accuracy where a row has one class */
    values[i] = j->metric == SCORE_METRIC_f1 && j->subject.has_class ? found[1] : found[0];
  }
  return STATUS_OK;
}
