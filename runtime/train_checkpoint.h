/* Checkpoints of a training session: safetensors with
 *
 *   conv1.weight                 the weights, under the names of a weights file
 *   optimizer.m.conv1.weight     first and second moments of trained weights
 *   optimizer.v.conv1.weight
 *   best.conv1.weight            the weights to keep
 *   checkpoint.curve [E, 5]      loss, train, val, test, ms of each epoch
 *
 * and metadata: checkpoint = 1, model, model_fingerprint, program and graph (fingerprints), epoch, best_epoch,
 * best_value, optimizer_steps, and option.NAME for the options of the training. */
#ifndef GNNC_RUNTIME_TRAIN_CHECKPOINT_H
#define GNNC_RUNTIME_TRAIN_CHECKPOINT_H

#include "runtime/train.h"

/* An epoch; NaN where there is no such number. */
typedef struct train_epoch {
  double loss, train, val, test, milliseconds;
} train_epoch;
enum { TRAIN_EPOCH_NUMBERS = sizeof(train_epoch) / sizeof(double) };

/* What a training has reached beside the session. */
typedef struct train_record {
  int64_t epochs, best_epoch; /* best_epoch is 0 where none was evaluated */
  double best_value;          /* what made it the best */
  train_epoch *curve;         /* [epochs] */
  float **best;               /* weights of best_epoch */
  uint64_t program;           /* train_fingerprint of the program */
  uint64_t model;             /* the fingerprint of the model, of the program's manifest; 0: unknown */
  const graph *graph;         /* whose fingerprint a checkpoint has; NULL: the session's */
  int32_t moments;            /* of the optimizer: 1 or 2 */
  tensor_metadata *metadata;  /* the options, and more for the reader */
  size_t metadata_count;
  const char *stopped; /* why it cannot go on; NULL: it can */
} train_record;

/* The fingerprint of a file, of its bytes. */
status train_fingerprint(const char *path, uint64_t *out);

/* Writes a checkpoint in one step: a failure leaves the old one. A record that cannot go on has its
 * best weights as weights, too, and no moments. Called on all ranks; one writes. */
status train_checkpoint_write(const char *path, const train_session *s, const train_record *record);

/* Opens a checkpoint of a model; the caller owns *set. Fails where the file is no checkpoint, is that
 * of another model or cannot go on. */
status train_checkpoint_open(const char *path, const char *model, tensor_set **set);

/* Reads weights, moments and the record (but its metadata) into the session of the same model. Fails
 * for another model, another graph and other shapes; a model is another one where both fingerprints are known and differ. */
status train_checkpoint_read(const tensor_set *set, train_session *s, train_record *record);

#endif
