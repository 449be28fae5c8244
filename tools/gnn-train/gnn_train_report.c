/* What gnn-train prints and writes at its end: the summary, the weights, the curve. */
#include "runtime/train_tables.h"
#include "support/number.h"
#include "support/text.h"
#include "tools/gnn-train/gnn_train.h"

#include <inttypes.h>
#include <math.h>

static void print_weights(const train_session *s) {
  int64_t numbers = 0, trained = 0;
  for (int32_t i = 0; i < s->info->num_weights; i++) {
    const int64_t count = train_table_count_whole(s, i);
    numbers += count;
    trained += s->info->weight_infos[i].is_trained ? count : 0;
  }
  printf("weights: %d tensors, %" PRId64 " numbers, %" PRId64 " of them trained\n", s->info->num_weights, numbers,
         trained);
}

static void print_optimizer(const fit_options *o) {
  printf("optimizer: %s, rate %g", fit_optimizer_name(o->optimizer), (double)o->rate);
  if (o->decay > 0)
    printf(", decay %g%s%s", (double)o->decay, o->decay_of ? " of " : "", o->decay_of ? o->decay_of : "");
  if (o->momentum > 0 && o->optimizer == GNNC_SGD) printf(", momentum %g", (double)o->momentum);
  if (o->clip > 0) printf(", clip %g", (double)o->clip);
  printf(", seed %" PRIu64 "\n", o->seed);
}

static void print_batches(const fit *f) {
  const train_batches *b = f->batches;
  if (!b) return;
  printf("batches: %" PRId64 " of %" PRId64 " nodes", b->count, b->batch_size);
  if (f->options->accumulate) printf(", a step for %" PRId64, b->in_step);
  if (f->options->fanout) printf(", fanout %s", f->options->fanout);
  if (b->most_nodes) printf("; parts of at most %" PRId64 " nodes and %" PRId64 " edges", b->most_nodes, b->most_edges);
  printf("\n");
}

static void print_negatives(const fit *f) {
  const train_negatives *n = f->negatives;
  if (n) printf("negatives: %" PRId64 " for each of %" PRId64 " edges\n", n->per_edge, n->num_positives);
}

static void print_epochs(const fit *f) {
  int64_t count = (int64_t)f->epochs.count;
  printf("epochs: %" PRId64, count);
  if (f->first) printf(", %" PRId64 " of them in the checkpoint", f->first);
  if (count < f->options->epochs) printf(", the last %ld without a better one", f->options->patience);
  printf("\nbest epoch: %" PRId64, f->record.best_epoch);
  if (!f->has_validation && f->options->patience) printf(", by the training loss: there are no validation rows");
  if (!f->has_validation && !f->options->patience)
    printf(", the last%s: there are no validation rows", f->options->evaluate_every > 1 ? " that was evaluated" : "");
  printf("\n");
}

static void print_values(const fit *f) {
  const train_epoch *e = &f->epochs.items[f->record.best_epoch - 1];
  const double values[SCORE_MASKS] = {e->train, e->val, e->test};
  bool has_any = false;
  for (int i = 0; i < SCORE_MASKS; i++) {
    if (!f->judge.has[i]) continue;
    if (!has_any) printf("%s:", fit_metric_name(f->judge.metric));
    printf("%s %s ", has_any ? "," : "", score_mask_names[i]);
    printf(isnan(values[i]) ? "none" : "%.4f", values[i]);
    has_any = true;
  }
  if (has_any) printf("\n");
  printf("training loss: %.6g in the best epoch, %.6g in the last\n", e->loss,
         f->epochs.items[f->epochs.count - 1].loss);
}

static void print_time(const fit *f) {
  size_t count = f->epochs.count - (size_t)f->first;
  if (!count) return;
  double *times = arena_alloc_array(f->arena, count, sizeof *times);
  for (size_t i = 0; i < count; i++) times[i] = f->epochs.items[(size_t)f->first + i].milliseconds;
  number_sort(times, count);
  double all = f->step_seconds + f->judge_seconds;
  printf("time: %.3f ms per epoch (median), %.0f %% of it the step%s; %.3f s in all, %ld thread%s\n", times[count / 2],
         100 * f->step_seconds / all, f->batches && f->batches->count > f->batches->in_step ? "s" : "", all,
         f->options->threads, f->options->threads == 1 ? "" : "s");
}

void fit_report(const fit *f) {
  const graph *g = f->graph;
  printf("model: %s\n", f->session->info->name);
  printf("graph: %" PRId64 " nodes, %" PRId64 " edges", g->num_nodes, g->num_edges);
  if (g->num_graphs) printf(", %" PRId64 " graphs", g->num_graphs);
  printf("\n");
  print_weights(f->session);
  print_optimizer(f->options);
  print_batches(f);
  print_negatives(f);
  print_epochs(f);
  print_values(f);
  print_time(f);
}

status fit_write_weights(const fit *f, const char *path) {
  const tensor_metadata metadata[] = {
      {"made_by", fit_made_by(f->arena, f->options)},
      {"epoch", arena_printf(f->arena, "%" PRId64, f->record.best_epoch)},
  };
  return train_weights_write(path, f->session, f->record.best, metadata, sizeof metadata / sizeof metadata[0]);
}

/* ---- the curve ---- */

/* Nine digits give an fp32 number back; a value that does not exist leaves its column empty. */
static void append_value(text *t, double value) {
  if (isnan(value))
    text_append(t, ",");
  else
    text_printf(t, ",%.9g", value);
}

status fit_write_curve(const fit *f, const char *path) {
  text t = {0};
  text_append(&t, "epoch,loss,train,val,test,ms\n");
  for (size_t i = 0; i < f->epochs.count; i++) {
    const train_epoch *e = &f->epochs.items[i];
    text_printf(&t, "%zu", i + 1);
    append_value(&t, e->loss);
    append_value(&t, e->train);
    append_value(&t, e->val);
    append_value(&t, e->test);
    text_printf(&t, ",%.3f\n", e->milliseconds);
  }
  status s = file_write(path, text_str(&t), t.size);
  text_free(&t);
  return s;
}
