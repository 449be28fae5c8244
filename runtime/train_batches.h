/* Training on sampled neighbourhoods: an epoch has a step for each batch of seeds, or for several, which are the nodes of
 * train_mask in an order of that epoch. A step sees the part of the graph that runtime/sample.h draws for its seeds; the loss counts the
 * seeds alone.
 *
 *   train_batches_create(session, &request, &batches);
 *   for (epoch = 1; ...; epoch++) train_batches_epoch(batches, epoch, &optimizer, &loss);
 *
 * What an epoch does is a function of its number, the seed and the weights before it. */
#ifndef GNNC_RUNTIME_TRAIN_BATCHES_H
#define GNNC_RUNTIME_TRAIN_BATCHES_H

#include "data/reach.h"
#include "runtime/sample.h"
#include "runtime/train.h"

typedef struct train_batches_request {
  int64_t batch_size;       /* seeds of a batch */
  const sample_rule *rule;  /* hops and fanout; its seed and epoch are not read */
  const graph_reach *reach; /* of the model's outputs */
  int32_t threads;          /* 2 or more: one of them draws the next batch during a step, which changes no number */
  int64_t accumulate;       /* batches of a step, whose gradients are summed by their numbers; 0: one. Each thread
                             * computes batches of its own then */
  bool is_backwards; /* with `accumulate`: batches of a step begin with the last, which changes no bit: for tests */
} train_batches_request;

/* Members are for reading. */
typedef struct train_batches {
  train_session *session;
  int64_t batch_size, num_seeds, count; /* batches of an epoch */
  int64_t in_step;                      /* batches of a step */
  int64_t most_nodes, most_edges;       /* of the parts so far */
  const sample_source *source;          /* of the session's graph */
  struct train_batches_memory *memory;
} train_batches;

/* Makes the batches of a session, which lives as long. Fails where sampled neighbourhoods cannot train the model, and says
 * why. */
status train_batches_create(train_session *s, const train_batches_request *request, train_batches **out);
/* NULL is allowed. */
void train_batches_destroy(train_batches *b);

/* Does the steps of an epoch, from 1. *loss is the mean of the losses before each step, weighted by seeds. The first loss
 * that is not finite ends the epoch and is *loss. */
status train_batches_epoch(train_batches *b, int64_t epoch, const gnnc_optimizer *optimizer, double *loss);

#endif
