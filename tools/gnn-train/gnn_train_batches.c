/* gnn-train --batch: what is drawn, and whether it is as much as the model reads.
 *
 * Evaluations are of the whole graph, at once or with --evaluate-batch by parts. */
#include "runtime/c_manifest.h"
#include "support/program.h"
#include "tools/gnn-train/gnn_train.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

status fit_read_fanout(const char *text, sample_rule *rule) {
  rule->hops = 0;
  for (const char *at = text; at; at = *at == ',' ? at + 1 : NULL) {
    char *end = NULL;
    errno = 0;
    const long edges = strtol(at, &end, 10);
    if (end == at || errno || (*end && *end != ',') || edges > INT32_MAX || edges < 0)
      return status_error(STATUS_CODE_mismatch,
                          "--fanout is '%s', expected whole numbers from 0 to %d separated by commas, as 10,10", text,
                          INT32_MAX);
    if (rule->hops == SAMPLE_MOST_HOPS)
      return status_error(STATUS_CODE_mismatch, "--fanout is '%s', expected at most %d hops", text,
                          (int)SAMPLE_MOST_HOPS);
    rule->fanout[rule->hops++] = (int32_t)edges;
    at = end;
  }
  return STATUS_OK;
}

/* Values at the rim of a part are computed from fewer edges than the fanout allows. */
static void warn_of_hops(const fit *f, const graph_reach *r, const sample_rule *rule) {
  if (rule->hops >= r->hops) return;
  program_warning("--fanout has %d hop%s, the outputs of '%s' reach %" PRId64
                  " hops (a degree is one, too): nodes at the rim of a part have no incoming edges there",
                  (int)rule->hops, rule->hops == 1 ? "" : "s", f->session->info->name, r->hops);
}

/* A loss by parts is the mean of theirs, which cross_entropy and its like are. */
static void warn_of_loss(const fit *f) {
  const bool has_validation = f->judge.has[1];
  if (f->judge.metric != FIT_METRIC_loss && (has_validation || !f->options->patience)) return;
  program_warning("--evaluate-batch: the loss that chooses the best epoch is the mean over parts, weighted by "
                  "'train_mask'; a loss that is "
                  "no mean over 'train_mask' has another value over the whole graph");
}

status fit_make_batches(fit *f) {
  const fit_options *o = f->options;
  graph_reach reach = {0};
  sample_rule rule = {0};
  if (!o->batch) return STATUS_OK;
  RETURN_IF_ERROR(status_context(c_manifest_find_reach(f->arena, o->program, &reach), "--batch"));
  RETURN_IF_ERROR(fit_read_fanout(o->fanout, &rule));
  const train_batches_request request = {.batch_size = o->batch,
                                         .rule = &rule,
                                         .reach = &reach,
                                         .threads = (int32_t)o->threads,
                                         .accumulate = o->accumulate};
  if (!o->fanout) rule.hops = (int32_t)(reach.hops < SAMPLE_MOST_HOPS ? reach.hops : SAMPLE_MOST_HOPS);
  RETURN_IF_ERROR(status_context(train_batches_create(f->session, &request, &f->batches), "--batch"));
  warn_of_hops(f, &reach, &rule);
  if (!o->evaluate_batch) return STATUS_OK;
  warn_of_loss(f);
  const train_evaluation_request by_parts = {f->batches->source, &reach, o->evaluate_batch, (int32_t)o->threads};
  return status_context(train_evaluation_create(f->session, &by_parts, &f->judge.evaluation), "--evaluate-batch");
}
