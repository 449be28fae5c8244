/* gnn-train: trains a model with a loss on a graph, from C that gnnc --train made to weights.
 *
 *   gnn-train gcn_train.c --graph cora.safetensors -o gcn.safetensors --decay=5e-4 --decay-of='conv1.*' */
#include "tools/gnn-train/gnn_train.h"

#include "runtime/c_manifest.h"
#include "runtime/gnnc/executor.h"
#include "runtime/native.h"
#include "support/program.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- preparation ---- */

static status check_weights(const gnnc_train_info *info) {
  for (int32_t i = 0; i < info->num_weights; i++)
    if (info->weight_infos[i].is_trained) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "the model has no weight that is trained");
}

static bool matches(arena *a, const char *patterns, const char *name) {
  char *rest = NULL;
  for (char *word = strtok_r(arena_strdup(a, patterns), ",", &rest); word; word = strtok_r(NULL, ",", &rest))
    if (!fnmatch(word, name, 0)) return true;
  return false;
}

/* Finds the factor of the decay of each weight; each pattern must match a trained weight. */
static status make_decays(fit *f) {
  const gnnc_train_info *info = f->session->info;
  const char *patterns = f->options->decay_of;
  if (!patterns) return STATUS_OK;
  float *decays = arena_alloc_array(f->arena, (size_t)info->num_weights + 1, sizeof *decays);
  for (int32_t i = 0; i < info->num_weights; i++) decays[i] = matches(f->arena, patterns, info->weights[i].from);
  f->optimizer.decays = decays;
  char *rest = NULL;
  for (char *word = strtok_r(arena_strdup(f->arena, patterns), ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    bool has_match = false;
    const char *names = "";
    for (int32_t i = 0; i < info->num_weights; i++) {
      if (!info->weight_infos[i].is_trained) continue;
      has_match |= !fnmatch(word, info->weights[i].from, 0);
      names = arena_printf(f->arena, "%s%s%s", names, *names ? ", " : "", info->weights[i].from);
    }
    if (!has_match)
      return status_error(STATUS_CODE_mismatch, "--decay-of: '%s' is no trained weight of the model: there are %s",
                          word, names);
  }
  return STATUS_OK;
}

static void set_optimizer(fit *f) {
  const fit_options *o = f->options;
  f->optimizer = (gnnc_optimizer){.size = sizeof f->optimizer,
                                  .kind = o->optimizer,
                                  .rate = o->rate,
                                  .decay = o->decay,
                                  .momentum = o->momentum,
                                  .beta1 = o->beta1,
                                  .beta2 = o->beta2,
                                  .epsilon = o->epsilon,
                                  .clip = o->clip};
  f->record.moments = o->optimizer == GNNC_SGD ? 1 : 2;
}

static void warn_of_program(const tensor_set *checkpoint, uint64_t program) {
  char now[20];
  const char *then = tensor_set_get_metadata(checkpoint, "program");
  snprintf(now, sizeof now, "%016llx", (unsigned long long)program);
  if (then && strcmp(then, now) != 0)
    program_warning(
        "%s was made by another program of this model (%s, this is %s): numbers may differ from those of an "
        "uninterrupted training",
        checkpoint->name, then, now);
}

/* ---- the training ---- */

static status read_checkpoint(fit *f, const tensor_set *checkpoint) {
  if (!checkpoint) return STATUS_OK;
  RETURN_IF_ERROR(train_checkpoint_read(checkpoint, f->session, &f->record));
  for (int64_t i = 0; i < f->record.epochs; i++) VEC_PUSH(f->arena, &f->epochs, f->record.curve[i]);
  const fit_options *o = f->options;
  if (o->checkpoint && !strcmp(o->checkpoint, o->resume)) f->written = f->record.epochs;
  warn_of_program(checkpoint, f->record.program);
  const int64_t next = (f->record.epochs / o->evaluate_every + 1) * o->evaluate_every;
  if (!f->record.best_epoch && next > o->epochs)
    return status_error(STATUS_CODE_format, "%s has no best epoch, and none is evaluated up to --epochs=%ld",
                        checkpoint->name, o->epochs);
  if (f->record.epochs >= o->epochs)
    program_warning("%s has %" PRId64 " epochs already, --epochs is %ld: nothing is trained", checkpoint->name,
                    f->record.epochs, o->epochs);
  return STATUS_OK;
}

static status write_results(const fit *f) {
  const fit_options *o = f->options;
  if (o->output) RETURN_IF_ERROR(fit_agree(f, fit_write_weights(f, o->output))); /* of rows of all ranks */
  if (f->is_silent) return STATUS_OK;
  if (o->curve) RETURN_IF_ERROR(fit_write_curve(f, o->curve));
  if (o->plot) RETURN_IF_ERROR(fit_write_plot(f, o->plot));
  return STATUS_OK;
}

/* Writes the epochs before the one that ended the training, for which the error is reported. */
static status keep_epochs(const fit *f, status failed) {
  const fit_options *o = f->options;
  if (!failed || !f->record.stopped || !f->epochs.count || f->is_silent) return failed;
  status written[] = {o->curve ? fit_write_curve(f, o->curve) : STATUS_OK,
                      o->plot ? fit_write_plot(f, o->plot) : STATUS_OK};
  for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
    if (written[i]) program_warning("%s", status_message(written[i]));
    status_free(written[i]);
  }
  return failed;
}

/* What stands before the first epoch. */
static status prepare(fit *f, fit_options *options, const tensor_set *checkpoint) {
  RETURN_IF_ERROR(check_weights(f->session->info));
  set_optimizer(f);
  RETURN_IF_ERROR(train_fingerprint(options->program, &f->record.program));
  RETURN_IF_ERROR(c_manifest_find_fingerprint(f->arena, options->program, &f->record.model));
  f->record.best = train_allocate_weights(f->session);
  RETURN_IF_ERROR(train_check_optimizer(f->session, &f->optimizer));
  RETURN_IF_ERROR(make_decays(f));
  RETURN_IF_ERROR(fit_judge_create(f->arena, f->session, options, &f->judge));
  options->metric = f->judge.metric;
  fit_options_list(f->arena, options, &f->record.metadata, &f->record.metadata_count);
  RETURN_IF_ERROR(fit_make_batches(f));
  return read_checkpoint(f, checkpoint);
}

status fit_agree(const fit *f, status mine) {
  return f->rank ? f->rank->comm->engine->agree(f->rank->comm, mine) : mine;
}

static status train_session_of(fit *f, fit_options *options, const tensor_set *checkpoint) {
  RETURN_IF_ERROR(fit_agree(f, prepare(f, options, checkpoint)));
  RETURN_IF_ERROR(keep_epochs(f, fit_train(f)));
  if (!f->is_silent) fit_report(f);
  return write_results(f);
}

static status train_program(fit *f, fit_options *options, const gnnc_program *program) {
  tensor_set *checkpoint = NULL;
  status s = STATUS_OK;
  if (options->resume) s = train_checkpoint_open(options->resume, program->train->name, &checkpoint);
  if (!s && checkpoint) s = fit_options_take(f->arena, checkpoint, options);
  if (!s) fit_options_warn(options);
  if (!s && options->folds) s = fit_make_folds(options, f->graph);
  f->record.graph = f->graph;
  if (!s && options->negatives)
    s = status_context(
        train_negatives_create(f->graph, program->train, options->negatives, options->seed, &f->negatives),
        "--negatives");
  gnnc_pool *pool = s ? NULL : gnnc_pool_create((int32_t)options->threads);
  if (!s && !pool) s = status_error(STATUS_CODE_memory, "no memory for %ld threads", options->threads);
  s = fit_agree(f, s);
  if (!s) {
    const train_request request = {.graph = f->negatives ? f->negatives->graph : f->graph,
                                   .weights = options->weights,
                                   .seed = options->seed,
                                   .executor = gnnc_pool_executor(pool),
                                   .rank = f->rank,
                                   .spill = f->spill,
                                   .has_no_workspace = options->evaluate_batch > 0};
    s = train_create(program, &request, &f->session);
  }
  if (!s) s = train_session_of(f, options, checkpoint);
  train_evaluation_destroy(f->judge.evaluation);
  train_batches_destroy(f->batches);
  train_destroy(f->session);
  train_negatives_destroy(f->negatives);
  gnnc_pool_destroy(pool);
  tensor_set_destroy(checkpoint);
  return s;
}

/* The place among the ranks: the part of the graph, and the same program on all. */
static status open_rank(fit *f, const gnnc_program *program, const fit_place *place) {
  f->rank = arena_alloc(f->arena, sizeof *f->rank);
  RETURN_IF_ERROR(
      rank_part_open(place->comm, f->graph, place->cells, rank_part_needs(program), f->arena, true, f->rank));
  return rank_part_compare(f->rank, program);
}

static status open_graph(fit *f, const fit_place *place) {
  if (!place) return graph_open(f->options->graph, &f->graph);
  f->graph = place->graph;
  return place->comm->engine->agree(place->comm, f->graph ? STATUS_OK : graph_open(f->options->graph, &f->graph));
}

status fit_run(const fit_options *options, gnnc_program *program, const fit_place *place, bool *is_alone) {
  fit_options own = *options;
  spill *kept = place ? place->spill : NULL;
  fit f = {.options = &own,
           .arena = kept ? arena_create_in(kept) : arena_create(),
           .spill = kept,
           .is_silent = place && place->comm->rank};
  program_mute(f.is_silent);
  status s = open_graph(&f, place);
  if (!s && place) s = open_rank(&f, program, place);
  if (!s) s = train_program(&f, &own, program);
  if (is_alone) *is_alone = f.rank && f.rank->is_alone;
  if (!place || !place->graph) graph_close(f.graph);
  arena_destroy(f.arena);
  return s;
}

status fit_open_program(const fit_options *options, gnnc_program **program) {
  const gnnc_program_options how = {.is_portable = options->is_portable};
  progress_step("open the program", NULL, 0);
  return native_open_train(options->program, &how, program);
}

static status train(const fit_options *options) {
  gnnc_program *program = NULL;
  if (options->cells) return fit_run_ranks(options);
  status s = fit_check_files(options);
  if (!s) s = fit_open_program(options, &program);
  if (!s) s = fit_run(options, program, NULL, NULL);
  gnnc_program_close(program);
  return s;
}

static int run(int argc, char **argv) {
  fit_options options;
  if (!fit_options_parse(argc, argv, &options)) return 2;
  if (options.wants_help) {
    fit_options_help();
    return 0;
  }
  if (options.completion) return fit_options_complete(options.completion) ? 0 : 2;
  if (options.wants_version) {
    printf("gnn-train %s\n", GNNC_VERSION);
    return 0;
  }
  progress_begin("gnn-train", options.cells ? PROGRESS_never : options.progress);
  status s = train(&options);
  progress_end();
  if (s) program_error("%s", status_message(s));
  int result = s ? 1 : 0;
  status_free(s);
  return result;
}

int main(int argc, char **argv) {
  program_begin("gnn-train");
  return program_end(run(argc, argv));
}
