/* Shared by the files of gnn-train: options, what an epoch is judged by, the loop, the results. */
#ifndef GNNC_TOOLS_GNN_TRAIN_GNN_TRAIN_H
#define GNNC_TOOLS_GNN_TRAIN_GNN_TRAIN_H

#include "runtime/rank_part.h"
#include "runtime/score.h"
#include "runtime/train_batches.h"
#include "runtime/train_checkpoint.h"
#include "runtime/train_evaluation.h"
#include "runtime/train_negatives.h"
#include "support/progress.h"
#include "support/vec.h"

#include <stdio.h>

/* ---- options ---- */

/* What --metric chooses beside the metrics of runtime/score.h. */
enum { FIT_METRIC_loss = SCORE_METRIC_count, FIT_METRIC_default };

typedef struct fit_options {
  const char *program, *graph, *output, *weights, *checkpoint, *resume, *curve, *plot;
  const char *decay_of;   /* patterns of weights, separated by commas; NULL: all */
  const char *fanout;     /* edges of a node in each hop, separated by commas; NULL: all */
  const char *completion; /* a shell; NULL: not given */
  const char *cells;      /* parts of the graph for several ranks; NULL: there is one, without cells */
  const char *from_disk;  /* folder where each rank has its memory, one after another; NULL: in memory */
  long epochs, patience, every, threads, folds, fold;
  long evaluate_every;    /* epochs from one evaluation to the next */
  long evaluate_batch;    /* nodes of a part of an evaluation, 0: of the whole graph */
  long negatives;         /* edges that do not exist for each edge of training, 0: none */
  long local_ranks;       /* threads of this process, 0: the ranks are processes of MPI */
  long batch, accumulate; /* nodes of a batch, 0: the whole graph; batches of a step, 0: one */
  uint64_t seed;
  int optimizer; /* gnnc_optimizer_kind */
  int metric;    /* score_metric, or FIT_METRIC_loss, FIT_METRIC_default */
  float rate, decay, momentum, beta1, beta2, epsilon, clip;
  progress_mode progress;
  bool is_portable, wants_help, wants_version;
  uint64_t given; /* options by their row in the table */
} fit_options;

/* Refuses results that would replace each other or a file that is read. */
status fit_check_names(const fit_options *options);
/* Finds out before the training, and not after it, whether the results can be written. */
status fit_check_files(const fit_options *options);

/* Reads the command line; false after a message on stderr. */
bool fit_options_parse(int count, char **arguments, fit_options *options);
void fit_options_help(void);
/* Prints the script of --completion; false after a message. */
bool fit_options_complete(const char *shell);

/* Lists the options that decide the numbers of a training, as metadata "option.NAME" of a checkpoint. */
void fit_options_list(arena *a, const fit_options *options, tensor_metadata **out, size_t *count);
/* Describes the origin of the results: gnn-train with the options that affect them, without the names
 * of files. */
const char *fit_made_by(arena *a, const fit_options *options);
/* Takes from a checkpoint the options that the command line does not give. Fails where it gives
 * another optimizer, seed or metric, or other folds: that would be another training. */
status fit_options_take(arena *a, const tensor_set *checkpoint, fit_options *options);
/* Warns of options on the command line that have no effect beside the others. */
void fit_options_warn(const fit_options *options);

const char *fit_optimizer_name(int optimizer);
const char *fit_metric_name(int metric);

/* ---- what an epoch is judged by ---- */

/* A metric on the rows of the three masks, or the loss with them in the place of train_mask. */
typedef struct fit_judge {
  int metric;
  bool is_less_better;
  bool has[SCORE_MASKS];
  score_subject subject;
  score_rows rows[SCORE_MASKS];
  const void **inputs[SCORE_MASKS]; /* of the loss; NULL: the session's */
  train_evaluation *evaluation;     /* by parts; NULL: of the whole graph */
} fit_judge;

/* Chooses the metric and its rows, and checks the labels of the rows that are trained on. */
status fit_judge_create(arena *a, train_session *s, const fit_options *options, fit_judge *out);
/* Evaluates the weights: *loss is the training loss without dropout; values are NaN where there are
 * no rows. */
status fit_judge_epoch(const fit_judge *j, train_session *s, float *loss, double values[SCORE_MASKS]);

/* ---- the training ---- */

typedef struct fit {
  const fit_options *options;
  rank_part *rank; /* NULL: there are no ranks */
  spill *spill;    /* of the rank; NULL: its memory is in memory */
  bool is_silent;  /* another rank prints and writes */
  arena *arena;
  graph *graph;
  train_session *session;
  train_negatives *negatives; /* NULL: the session's graph is that of the file */
  train_batches *batches;     /* NULL: a step is over the whole graph */
  fit_judge judge;
  gnnc_optimizer optimizer;
  train_record record; /* its curve is that of the epochs below */
  VEC(train_epoch) epochs;
  bool has_validation;
  int64_t first;   /* epochs that a checkpoint brought */
  int64_t written; /* epochs of the checkpoint that was written last; 0: none */
  double step_seconds, judge_seconds;
} fit;

/* Trains to the last epoch, or until the patience is at its end. */
status fit_train(fit *f);
/* Makes what --batch asks for; without it nothing. */
status fit_make_batches(fit *f);
/* Reads --fanout; NULL: no hops. */
status fit_read_fanout(const char *text, sample_rule *rule);
/* Makes mask fields of a fold of the graphs of a batch. */
status fit_make_folds(const fit_options *options, graph *g);

/* The place of a rank among several. */
typedef struct fit_place {
  comm *comm;
  const cells *cells;
  graph *graph; /* that of the options, which all ranks of the process have; NULL: each opens it */
  spill *spill; /* where its memory is; NULL: in memory */
} fit_place;

/* Trains on the graph of the options; with a place (NULL: there are no ranks), as one of several ranks, which all call it. *is_alone (may
 * be NULL): it has failed, and the others may wait for it. */
status fit_run(const fit_options *options, gnnc_program *program, const fit_place *place, bool *is_alone);

/* What all ranks say to a status of this one: the failure of the lowest that has one. Without ranks it is `mine`. */
status fit_agree(const fit *f, status mine);

/* Trains on several ranks. */
status fit_run_ranks(const fit_options *options);

/* Opens the program of the options; the caller closes it. */
status fit_open_program(const fit_options *options, gnnc_program **program);

/* ---- results ---- */

void fit_report(const fit *f);
status fit_write_curve(const fit *f, const char *path);
status fit_write_plot(const fit *f, const char *path);
/* Writes the weights of the best epoch. */
status fit_write_weights(const fit *f, const char *path);

#endif
