/* The loop of gnn-train: the steps and an evaluation per epoch, the best weights, checkpoints. */
#include "support/clock.h"
#include "support/program.h"
#include "tools/gnn-train/gnn_train.h"

#include <inttypes.h>
#include <math.h>

/* ---- the best epoch ---- */

/* The number that decides which epoch is kept: the metric on the validation rows; the training loss,
 * negated or not as the metric is, where there are none. */
static double value_of(const fit *f, const double values[SCORE_MASKS], float loss) {
  double value = f->has_validation ? values[1] : (double)loss;
  return f->has_validation && !f->judge.is_less_better ? value : -value;
}

/* Whether the epoch is the one to keep: it is better than all before; without validation rows and
 * patience it is the last. A NaN, where a metric is not defined, is never better than a number. */
static bool is_best(const fit *f, double value) {
  if (!f->record.best_epoch) return true;
  if (!f->has_validation && !f->options->patience) return true;
  return value > f->record.best_value || (isnan(f->record.best_value) && !isnan(value));
}

static void judge(fit *f, const double values[SCORE_MASKS], float loss) {
  double value = value_of(f, values, loss);
  if (!is_best(f, value)) return;
  f->record.best_value = value;
  f->record.best_epoch = (int64_t)f->epochs.count;
  train_copy_weights(f->session, f->session->weights, f->record.best);
}

/* Whether the last epoch is one of those that are evaluated. */
static bool is_evaluated(const fit *f, int64_t epoch) {
  return epoch % f->options->evaluate_every == 0;
}

static bool is_patience_over(const fit *f) {
  return f->options->patience && f->record.best_epoch && is_evaluated(f, (int64_t)f->epochs.count) &&
         (int64_t)f->epochs.count - f->record.best_epoch >= f->options->patience;
}

/* ---- checkpoints ---- */

static status write_checkpoint(fit *f) {
  if (!f->options->checkpoint) return STATUS_OK;
  f->record.epochs = (int64_t)f->epochs.count;
  f->record.curve = f->epochs.items;
  RETURN_IF_ERROR(fit_agree(f, train_checkpoint_write(f->options->checkpoint, f->session, &f->record)));
  f->written = f->record.epochs;
  return STATUS_OK;
}

/* Keeps the best weights in the checkpoint, and says where they are. A checkpoint that has them
 * already stays as it is, so that it can be resumed with other options. */
static const char *save_best(fit *f) {
  const fit_options *o = f->options;
  if (!o->checkpoint || !f->record.best_epoch) return "";
  if (f->written >= f->record.best_epoch)
    return arena_printf(f->arena, "; '%s' has the state of epoch %" PRId64 " and the weights of epoch %" PRId64,
                        o->checkpoint, f->written, f->record.best_epoch);
  status failed = write_checkpoint(f);
  if (!failed)
    return arena_printf(f->arena, "; '%s' has the weights of epoch %" PRId64, o->checkpoint, f->record.best_epoch);
  const char *text = arena_printf(f->arena, "; the best weights are lost: %s", status_message(failed));
  status_free(failed);
  return text;
}

/* Ends a training whose loss is no number. */
static status stop(fit *f, const char *what, double loss) {
  const char *where = train_find_not_finite(f->session);
  f->record.stopped = arena_printf(f->arena, "%s of epoch %" PRId64 " is %s%s%s", what, (int64_t)f->epochs.count + 1,
                                   isnan(loss) ? "not a number" : "infinite",
                                   where ? "; the first tensor that is not finite is " : "", where ? where : "");
  return status_error(STATUS_CODE_mismatch, "%s%s", f->record.stopped, save_best(f));
}

/* ---- the loop ---- */

/* Shows the metric on training rows / validation rows. */
static void show(const fit *f) {
  const train_epoch *e = &f->epochs.items[f->epochs.count - 1];
  int64_t done = (int64_t)f->epochs.count - f->first, left = f->options->epochs - (int64_t)f->epochs.count;
  double each = (f->step_seconds + f->judge_seconds) / (double)done;
  char text[128], val[24] = "", metric[48] = "";
  if (!isnan(e->val)) snprintf(val, sizeof val, "/%.3f", e->val);
  if (!isnan(e->train)) snprintf(metric, sizeof metric, ", %s %.3f%s", fit_metric_name(f->judge.metric), e->train, val);
  snprintf(text, sizeof text, "epoch %zu/%ld, loss %.3f%s, %.1f ms, %.0f s left", f->epochs.count, f->options->epochs,
           e->loss, metric, 1e3 * each, each * (double)left);
  progress_show(text);
}

/* Does the step of an epoch, or those of its batches. */
static status do_steps(fit *f, double *loss) {
  if (f->batches) return train_batches_epoch(f->batches, (int64_t)f->epochs.count + 1, &f->optimizer, loss);
  float found = 0;
  if (f->negatives) {
    train_negatives_draw(f->negatives, (int64_t)f->epochs.count + 1);
    RETURN_IF_ERROR(train_rebind(f->session));
  }
  RETURN_IF_ERROR(train_step(f->session, &f->optimizer, &found));
  *loss = (double)found;
  return STATUS_OK;
}

/* Evaluates the weights of an epoch; values are NaN where it is none of those that are evaluated. */
static status evaluate(fit *f, int64_t epoch, float *loss, double values[SCORE_MASKS]) {
  for (int i = 0; i < SCORE_MASKS; i++) values[i] = (double)NAN;
  if (!is_evaluated(f, epoch)) return STATUS_OK;
  RETURN_IF_ERROR(fit_judge_epoch(&f->judge, f->session, loss, values));
  return isfinite(*loss) ? STATUS_OK : stop(f, "the loss after the step", (double)*loss);
}

static status train_epoch_once(fit *f) {
  double values[SCORE_MASKS], start = clock_seconds();
  double loss = 0;
  float evaluated = 0;
  const int64_t epoch = (int64_t)f->epochs.count + 1;
  RETURN_IF_ERROR(do_steps(f, &loss));
  double middle = clock_seconds();
  if (!isfinite(loss)) return stop(f, "the loss", loss);
  RETURN_IF_ERROR(evaluate(f, epoch, &evaluated, values));
  double end = clock_seconds();
  f->step_seconds += middle - start;
  f->judge_seconds += end - middle;
  VEC_PUSH(f->arena, &f->epochs, (train_epoch){loss, values[0], values[1], values[2], 1e3 * (end - start)});
  if (is_evaluated(f, epoch)) judge(f, values, evaluated);
  show(f);
  return STATUS_OK;
}

status fit_train(fit *f) {
  const fit_options *o = f->options;
  f->has_validation = f->judge.has[1];
  f->first = (int64_t)f->epochs.count;
  if (!f->has_validation && o->patience)
    program_warning("%s has no validation rows: --patience watches the training loss, and the weights of the epoch "
                    "with the least are kept",
                    f->graph->name);
  progress_step("train", NULL, 0);
  while ((int64_t)f->epochs.count < o->epochs && !is_patience_over(f)) {
    RETURN_IF_ERROR(train_epoch_once(f));
    if ((int64_t)f->epochs.count % o->every == 0) RETURN_IF_ERROR(write_checkpoint(f));
  }
  progress_step("", NULL, 0);
  bool is_written = (int64_t)f->epochs.count % o->every == 0 && (int64_t)f->epochs.count > f->first;
  return is_written ? STATUS_OK : write_checkpoint(f);
}
