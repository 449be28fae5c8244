/* Reads the command line of gnn-train. */
#include "tools/gnn-train/gnn_train.h"

#include "support/completion.h"
#include "support/diag.h"
#include "support/program.h"
#include "support/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
  OPTION_text,
  OPTION_flag,
  OPTION_count,  /* from 1 */
  OPTION_stride, /* the same; 1 is as if it was not given */
  OPTION_threads,
  OPTION_whole,  /* from 0 */
  OPTION_seed,   /* 64 bits */
  OPTION_number, /* from 0 */
  OPTION_share,  /* from 0, below 1 */
  OPTION_optimizer,
  OPTION_metric,
  OPTION_color,
  OPTION_progress
} option_kind;

/* Whether a checkpoint has the option, and may be resumed with another value. */
typedef enum option_keeping { NOT_KEPT, KEPT, FIXED } option_keeping;

typedef struct option_row {
  const char *name, *argument, *help;
  option_kind kind;
  option_keeping keeping;
  size_t field;
} option_row;

#define FIELD(name) offsetof(fit_options, name)

static const option_row options_table[] = {
    {"--graph", "FILE", "the graph, with labels and masks (safetensors)", OPTION_text, NOT_KEPT, FIELD(graph)},
    {"-o", "FILE", "the trained weights (safetensors), of the best epoch", OPTION_text, NOT_KEPT, FIELD(output)},
    {"--epochs", "N", "passes over the training rows, one step without --batch (default 200)", OPTION_count, KEPT,
     FIELD(epochs)},
    {"--batch", "N", "train on sampled neighbourhoods: a step for every N nodes of train_mask", OPTION_count, FIXED,
     FIELD(batch)},
    {"--fanout", "K,...",
     "with --batch: incoming edges of a node, by hop; 0 takes all (default: all, as far as the model reaches)",
     OPTION_text, FIXED, FIELD(fanout)},
    {"--accumulate", "N", "with --batch: a step for every N batches, by the mean of their gradients", OPTION_count,
     FIXED, FIELD(accumulate)},
    {"--evaluate-every", "N", "evaluate after every N epochs, which alone are kept or not (default 1)", OPTION_stride,
     FIXED, FIELD(evaluate_every)},
    {"--evaluate-batch", "N",
     "with --batch: evaluate N nodes at a time, with all that they reach; memory need not suffice for the whole graph",
     OPTION_count, FIXED, FIELD(evaluate_batch)},
    {"--negatives", "N", "for each edge of training, draw N that do not exist, with edge_label 0, in each epoch",
     OPTION_count, FIXED, FIELD(negatives)},
    {"--optimizer", "NAME", "adam (default), adamw or sgd", OPTION_optimizer, FIXED, FIELD(optimizer)},
    {"--rate", "R", "learning rate (default 0.01)", OPTION_number, KEPT, FIELD(rate)},
    {"--decay", "D", "weight decay (default 0)", OPTION_number, KEPT, FIELD(decay)},
    {"--decay-of", "NAMES", "decay only these weights: patterns as conv1.*, separated by commas", OPTION_text, KEPT,
     FIELD(decay_of)},
    {"--momentum", "M", "momentum of sgd (default 0)", OPTION_share, KEPT, FIELD(momentum)},
    {"--beta1", "B", "decay of the first moment of adam (default 0.9)", OPTION_share, KEPT, FIELD(beta1)},
    {"--beta2", "B", "decay of the second moment of adam (default 0.999)", OPTION_share, KEPT, FIELD(beta2)},
    {"--epsilon", "E", "what adam adds to the root of the second moment (default 1e-8)", OPTION_number, KEPT,
     FIELD(epsilon)},
    {"--clip", "N", "scale gradients whose norm, of all together, is larger (default 0: never)", OPTION_number, KEPT,
     FIELD(clip)},
    {"--patience", "N", "stop after N epochs without a better one (default 0: never)", OPTION_whole, KEPT,
     FIELD(patience)},
    {"--metric", "NAME", "what makes an epoch better: accuracy, f1, auc, mrr, mae or loss", OPTION_metric, FIXED,
     FIELD(metric)},
    {"--seed", "N", "of initial weights, dropout, batches and folds (default 1)", OPTION_seed, FIXED, FIELD(seed)},
    {"--folds", "K", "cut the graphs of a file without masks into K folds", OPTION_count, FIXED, FIELD(folds)},
    {"--fold", "N", "with --folds: validate on fold N, from 1, and train on the others", OPTION_count, FIXED,
     FIELD(fold)},
    {"--weights", "FILE", "start from these weights (default: the model's initial values)", OPTION_text, NOT_KEPT,
     FIELD(weights)},
    {"--checkpoint", "FILE", "write the state of the training here, from which --resume goes on", OPTION_text, NOT_KEPT,
     FIELD(checkpoint)},
    {"--every", "N", "write it after every N epochs and after the last (default 10)", OPTION_count, NOT_KEPT,
     FIELD(every)},
    {"--resume", "FILE", "go on from a checkpoint; its options hold where none are given", OPTION_text, NOT_KEPT,
     FIELD(resume)},
    {"--curve", "FILE", "write loss and metric of each epoch (CSV)", OPTION_text, NOT_KEPT, FIELD(curve)},
    {"--plot", "FILE", "draw them (SVG)", OPTION_text, NOT_KEPT, FIELD(plot)},
    {"--threads", "N", "threads to use, 1 to 1024 (default 1); results do not depend on it", OPTION_threads, NOT_KEPT,
     FIELD(threads)},
    {"--cells", "FILE", "train as ranks, each on the part that some cells of this file make (gnn-data partition)",
     OPTION_text, NOT_KEPT, FIELD(cells)},
    {"--local-ranks", "N", "with --cells: N ranks, threads of this process, instead of those of mpirun", OPTION_threads,
     NOT_KEPT, FIELD(local_ranks)},
    {"--from-disk", "DIR",
     "with --cells: one part after another, all others in a file in DIR, for graphs larger than memory", OPTION_text,
     NOT_KEPT, FIELD(from_disk)},
    {"--portable", NULL, "compile without -march=native", OPTION_flag, NOT_KEPT, FIELD(is_portable)},
    {"--color", "WHEN", "messages in colour: auto (default), always or never", OPTION_color, NOT_KEPT, 0},
    {"--progress", "WHEN", "one line on standard error: auto (default: on a terminal), always or never",
     OPTION_progress, NOT_KEPT, FIELD(progress)},
    {"--completion", "SHELL", "print the script that completes options in this shell: bash", OPTION_text, NOT_KEPT,
     FIELD(completion)},
    {"--help", NULL, "print this and exit", OPTION_flag, NOT_KEPT, FIELD(wants_help)},
    {"--version", NULL, "print the version and exit", OPTION_flag, NOT_KEPT, FIELD(wants_version)},
};
enum { OPTION_COUNT = sizeof options_table / sizeof options_table[0] };
_Static_assert(OPTION_COUNT <= 64, "given has a bit for each option");

/* ---- names ---- */

static const char *const optimizer_names[] = {[GNNC_SGD] = "sgd", [GNNC_ADAM] = "adam", [GNNC_ADAMW] = "adamw"};
enum { OPTIMIZER_COUNT = sizeof optimizer_names / sizeof optimizer_names[0] };

static const char *const metric_names[] = {
#define METRIC(name, first, second) #name,
#include "runtime/score_metrics.def"
#undef METRIC
    "loss"};
enum { METRIC_COUNT = sizeof metric_names / sizeof metric_names[0] };

const char *fit_optimizer_name(int optimizer) {
  return optimizer_names[optimizer];
}

const char *fit_metric_name(int metric) {
  return metric_names[metric];
}

/* ---- help ---- */

void fit_options_help(void) {
  printf(
      "usage: gnn-train PROGRAM --graph FILE [-o FILE] [options]\n\n"
      "Trains a model with a loss: C made by 'gnnc --target=c --train' (compiled with $CC, else cc, and $CFLAGS) "
      "or a shared library of it. Keeps the weights of the epoch with the best metric on the nodes of val_mask.\n\n");
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option_row *o = &options_table[i];
    char left[40];
    const char *between = !o->argument ? "" : o->name[1] == '-' ? "=" : " ";
    snprintf(left, sizeof left, "%s%s%s", o->name, between, o->argument ? o->argument : "");
    printf("  %-20s %s\n", left, o->help);
  }
  printf("\nExit status: 0 success, 1 a failure, 2 wrong usage.\n");
}

bool fit_options_complete(const char *shell) {
  static const char *const values[] = {[OPTION_optimizer] = "adam adamw sgd",
                                       [OPTION_metric] = "accuracy f1 auc mrr mae loss",
                                       [OPTION_progress] = NULL};
  arena *a = arena_create();
  completion_rows rows = {0};
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option_row *o = &options_table[i];
    if (strncmp(o->name, "--", 2) != 0) continue; /* -o: files */
    VEC_PUSH(a, &rows,
             (completion_row){NULL, o->name + 2, o->argument ? required_argument : no_argument, values[o->kind]});
  }
  bool is_good = completion_print("gnn-train", shell, &rows, "-o");
  arena_destroy(a);
  return is_good;
}

/* ---- values ---- */

/* Sets *index to the place of the value in a list of names. */
static status read_choice(const char *name, const char *value, const char *const *names, int count, int *index) {
  for (int i = 0; i < count; i++)
    if (!strcmp(names[i], value)) return *index = i, STATUS_OK;
  const char *near = diag_nearest(value, names, (size_t)count);
  if (near)
    return status_error(STATUS_CODE_mismatch, "%s is '%s', which is not known, did you mean '%s'", name, value, near);
  text list = {0};
  for (int i = 0; i < count; i++) text_printf(&list, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
  status s = status_error(STATUS_CODE_mismatch, "%s is '%s', expected %s", name, value, text_str(&list));
  text_free(&list);
  return s;
}

static status read_whole(const char *name, const char *value, long least, long most, long *out) {
  char *end = NULL;
  errno = 0;
  *out = strtol(value, &end, 10);
  if (end != value && !*end && !errno && *out >= least && *out <= most) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s is '%s', expected a whole number from %ld to %ld", name, value, least,
                      most);
}

static status read_seed(const char *name, const char *value, uint64_t *out) {
  char *end = NULL;
  errno = 0;
  *out = strtoull(value, &end, 10);
  if (isdigit((unsigned char)*value) && !*end && !errno) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s is '%s', expected a whole number from 0 to 2^64 - 1", name, value);
}

static status read_number(const char *name, const char *value, bool is_share, float *out) {
  char *end = NULL;
  double n = strtod(value, &end);
  *out = (float)n;
  if (end != value && !*end && isfinite(*out) && n >= 0 && (!is_share || *out < 1)) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s is '%s', expected a number from 0%s", name, value,
                      is_share ? ", below 1" : "");
}

static status set_option(const option_row *o, const char *value, fit_options *options) {
  enum { MOST = 1000000000 };
  void *field = (char *)options + o->field;
  switch (o->kind) {
  case OPTION_flag: *(bool *)field = true; return STATUS_OK;
  case OPTION_text: *(const char **)field = value; return STATUS_OK;
  case OPTION_count:
  case OPTION_stride: return read_whole(o->name, value, 1, MOST, field);
  case OPTION_threads: return read_whole(o->name, value, 1, 1024, field);
  case OPTION_whole: return read_whole(o->name, value, 0, MOST, field);
  case OPTION_seed: return read_seed(o->name, value, field);
  case OPTION_number: return read_number(o->name, value, false, field);
  case OPTION_share: return read_number(o->name, value, true, field);
  case OPTION_optimizer: return read_choice(o->name, value, optimizer_names, OPTIMIZER_COUNT, field);
  case OPTION_metric: return read_choice(o->name, value, metric_names, METRIC_COUNT, field);
  case OPTION_color:
    if (terminal_set_colour(value)) return STATUS_OK;
    break;
  case OPTION_progress:
    if (progress_parse_mode(value, field)) return STATUS_OK;
    break;
  }
  return status_error(STATUS_CODE_mismatch, "%s is '%s', expected auto, always or never", o->name, value);
}

/* ---- the command line ---- */

static status unknown_option(const char *given, size_t length) {
  const char *names[OPTION_COUNT];
  for (int i = 0; i < OPTION_COUNT; i++) names[i] = options_table[i].name;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, given);
  const char *near = diag_nearest(name, names, OPTION_COUNT);
  return status_error(STATUS_CODE_mismatch, "unknown option '%s'%s%s%s", name, near ? ", did you mean '" : "",
                      near ? near : "", near ? "'" : "");
}

/* Reads one option, with its value after '=' or in the next argument. */
static status parse_option(int count, char **arguments, int *at, fit_options *options) {
  const char *given = arguments[*at];
  size_t length = strcspn(given, "=");
  const option_row *found = NULL;
  for (int i = 0; i < OPTION_COUNT; i++)
    if (strlen(options_table[i].name) == length && !strncmp(options_table[i].name, given, length))
      found = &options_table[i];
  if (!found) return unknown_option(given, length);
  const char *value = given[length] ? given + length + 1 : NULL;
  if (!found->argument && value)
    return status_error(STATUS_CODE_mismatch, "%s takes no value, not '%s'", found->name, value);
  if (found->argument && !value) {
    if (*at + 1 >= count)
      return status_error(STATUS_CODE_mismatch, "%s needs a value (%s)", found->name, found->argument);
    value = arguments[++*at];
  }
  options->given |= UINT64_C(1) << (found - options_table);
  return set_option(found, value, options);
}

static status parse(int count, char **arguments, fit_options *options) {
  bool has_ended = false;
  for (int i = 1; i < count; i++) {
    if (!has_ended && !strcmp(arguments[i], "--"))
      has_ended = true;
    else if (!has_ended && arguments[i][0] == '-' && arguments[i][1])
      RETURN_IF_ERROR(parse_option(count, arguments, &i, options));
    else if (options->program)
      return status_error(STATUS_CODE_mismatch, "two programs given, '%s' and '%s'", options->program, arguments[i]);
    else
      options->program = arguments[i];
  }
  return STATUS_OK;
}

/* Options that need others, once those of a checkpoint are known. */
static status check_needs(const fit_options *o) {
  if (o->accumulate && !o->batch)
    return status_error(STATUS_CODE_mismatch,
                        "--accumulate needs --batch=N: without batches an epoch is one step over the whole graph");
  if (o->evaluate_batch && !o->batch)
    return status_error(STATUS_CODE_mismatch,
                        "--evaluate-batch needs --batch=N: a step over the whole graph takes as much memory");
  if (o->evaluate_every > o->epochs)
    return status_error(STATUS_CODE_mismatch, "--evaluate-every is %ld, there are %ld epochs: none would be evaluated",
                        o->evaluate_every, o->epochs);
  if (o->fanout && !o->batch) return status_error(STATUS_CODE_mismatch, "--fanout needs --batch=N");
  if (!o->folds != !o->fold) return status_error(STATUS_CODE_mismatch, "--folds=K and --fold=N need each other");
  return STATUS_OK;
}

/* Options that do not go together. */
static status check(const fit_options *o) {
  sample_rule rule = {0};
  if (!o->program) return status_error(STATUS_CODE_mismatch, "no program given (see gnn-train --help)");
  if (!o->graph) return status_error(STATUS_CODE_mismatch, "no graph given: --graph FILE");
  if (o->resume && o->weights)
    return status_error(STATUS_CODE_mismatch, "--resume and --weights: a checkpoint has weights of its own");
  if (o->negatives && (o->batch || o->folds))
    return status_error(STATUS_CODE_mismatch, "--negatives and --%s: negatives are of all edges of one graph",
                        o->batch ? "batch" : "folds");
  if (o->batch && o->folds)
    return status_error(STATUS_CODE_mismatch, "--batch and --folds: batches are of nodes, folds of graphs");
  if (o->cells && (o->batch || o->negatives))
    return status_error(STATUS_CODE_mismatch, "--cells and --%s: ranks train on the whole graph, as it is in the file",
                        o->batch ? "batch" : "negatives");
  if (o->local_ranks && !o->cells) return status_error(STATUS_CODE_mismatch, "--local-ranks needs --cells=FILE");
  if (o->from_disk && (!o->cells || o->folds))
    return status_error(STATUS_CODE_mismatch, o->cells ? "--from-disk and --folds: parts share one graph, without folds"
                                                       : "--from-disk needs --cells=FILE");
  RETURN_IF_ERROR(fit_read_fanout(o->fanout, &rule));
  if (o->decay_of && !o->decay_of[strspn(o->decay_of, ",")])
    return status_error(STATUS_CODE_mismatch, "--decay-of is '%s', expected names separated by commas, as conv1.*",
                        o->decay_of);
  if (o->folds == 1) return status_error(STATUS_CODE_mismatch, "--folds is '1', expected 2 or more");
  if (o->folds && o->fold > o->folds)
    return status_error(STATUS_CODE_mismatch, "--fold is %ld, there are %ld folds", o->fold, o->folds);
  return STATUS_OK;
}

static bool is_given(const fit_options *options, const char *name) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (!strcmp(options_table[i].name, name)) return options->given >> i & 1;
  return false;
}

void fit_options_warn(const fit_options *o) {
  char optimizer[40];
  const bool is_sgd = o->optimizer == GNNC_SGD;
  snprintf(optimizer, sizeof optimizer, "with --optimizer=%s", optimizer_names[o->optimizer]);
  const struct {
    const char *name, *where;
    bool is_idle;
  } rows[] = {
      {"--momentum", optimizer, !is_sgd},
      {"--beta1", optimizer, is_sgd},
      {"--beta2", optimizer, is_sgd},
      {"--epsilon", optimizer, is_sgd},
      {"--every", "without --checkpoint", !o->checkpoint},
      {"--decay-of", "without --decay", !(o->decay > 0)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].is_idle && is_given(o, rows[i].name))
      program_warning("%s has no effect %s", rows[i].name, rows[i].where);
}

bool fit_options_parse(int count, char **arguments, fit_options *options) {
  *options = (fit_options){.epochs = 200,
                           .every = 10,
                           .evaluate_every = 1,
                           .threads = 1,
                           .seed = 1,
                           .optimizer = GNNC_ADAM,
                           .metric = FIT_METRIC_default,
                           .rate = 0.01f,
                           .beta1 = 0.9f,
                           .beta2 = 0.999f,
                           .epsilon = 1e-8f};
  status s = parse(count, arguments, options);
  if (!s && !options->wants_help && !options->wants_version && !options->completion) {
    s = check(options);
    if (!s && !options->resume) s = check_needs(options);
    if (!s) s = fit_check_names(options);
  }
  if (s) program_error("%s", status_message(s));
  bool is_good = !s;
  status_free(s);
  return is_good;
}

/* ---- options in checkpoints ---- */

static const char *key_of(arena *a, const option_row *o) {
  return arena_printf(a, "option.%s", o->name + 2);
}

/* The shortest text that reads back to the same number. */
static const char *number_text(arena *a, float number) {
  const char *made = NULL;
  for (int digits = 6; digits <= 9; digits++) {
    made = arena_printf(a, "%.*g", digits, (double)number);
    if (strtof(made, NULL) == number) break;
  }
  return made;
}

/* Returns an option as text that set_option reads back to the same value; NULL: it has none. */
static const char *value_text(arena *a, const option_row *o, const fit_options *options) {
  const void *field = (const char *)options + o->field;
  switch (o->kind) {
  case OPTION_text: return *(const char *const *)field;
  case OPTION_count:
  case OPTION_whole: return *(const long *)field ? arena_printf(a, "%ld", *(const long *)field) : NULL;
  case OPTION_stride: return *(const long *)field > 1 ? arena_printf(a, "%ld", *(const long *)field) : NULL;
  case OPTION_seed: return arena_printf(a, "%llu", (unsigned long long)*(const uint64_t *)field);
  case OPTION_number:
  case OPTION_share: return number_text(a, *(const float *)field);
  case OPTION_optimizer: return optimizer_names[*(const int *)field];
  case OPTION_metric: return metric_names[*(const int *)field];
  default: return NULL;
  }
}

void fit_options_list(arena *a, const fit_options *options, tensor_metadata **out, size_t *count) {
  *out = arena_alloc_array(a, OPTION_COUNT, sizeof **out);
  *count = 0;
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option_row *o = &options_table[i];
    const char *value = o->keeping ? value_text(a, o, options) : NULL;
    if (value) (*out)[(*count)++] = (tensor_metadata){key_of(a, o), value};
  }
}

const char *fit_made_by(arena *a, const fit_options *options) {
  text made = {0};
  text_printf(&made, "gnn-train %s with", GNNC_VERSION);
  for (int i = 0; i < OPTION_COUNT; i++) {
    const char *value = options_table[i].keeping ? value_text(a, &options_table[i], options) : NULL;
    if (value) text_printf(&made, " %s=%s", options_table[i].name, value);
  }
  if (options->weights) text_append(&made, " --weights");
  return text_keep(&made, a);
}

static status take_option(arena *a, const option_row *o, bool is_given, const char *kept, fit_options *options) {
  if (!is_given) return kept ? set_option(o, arena_strdup(a, kept), options) : STATUS_OK;
  const char *given = value_text(a, o, options);
  const bool is_equal = given && kept ? !strcmp(given, kept) : given == kept;
  if (o->keeping != FIXED || is_equal) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "a checkpoint with %s=%s, the command line says %s=%s", o->name,
                      kept ? kept : "(none)", o->name, given ? given : "(none)");
}

status fit_options_take(arena *a, const tensor_set *checkpoint, fit_options *options) {
  status s = STATUS_OK;
  for (int i = 0; i < OPTION_COUNT && !s; i++) {
    const option_row *o = &options_table[i];
    if (!o->keeping) continue;
    s = take_option(a, o, options->given >> i & 1, tensor_set_get_metadata(checkpoint, key_of(a, o)), options);
  }
  if (!s) s = check(options);
  if (!s) s = check_needs(options);
  return status_context(s, "%s", checkpoint->name);
}
