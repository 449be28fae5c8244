/* Steps from the gradients of several batches of seeds: each thread computes whole batches, and the step is by their mean, weighted
 * by seeds. Sums are by the numbers of the batches (train_sum.h), so that the order in which threads are done changes no bit. */
#ifndef GNNC_RUNTIME_TRAIN_ACCUMULATE_H
#define GNNC_RUNTIME_TRAIN_ACCUMULATE_H

#include "runtime/sample.h"
#include "runtime/train.h"

typedef struct train_accumulation train_accumulation;

typedef struct train_accumulate_request {
  int64_t most; /* batches of a step, at most */
  int32_t threads;
  const char *mask;  /* the input that marks seeds */
  bool is_backwards; /* batches of a step are begun from the last to the first, which changes no bit: for tests */
} train_accumulate_request;

/* The batches of one step. */
typedef struct train_group {
  const sample_rule *rule;
  const int32_t *seeds; /* of all batches, one after the other */
  int64_t num_seeds, batch_size, count;
  int64_t first; /* the number of the step of dropout of the first batch */
} train_group;

/* What the batches were. */
typedef struct train_group_result {
  double loss;                    /* the mean, weighted by seeds; or the first that is not finite */
  int64_t most_nodes, most_edges; /* of a part */
} train_group_result;

/* Fails for programs without the function `apply`, and when memory is out. */
status train_accumulation_create(train_session *s, const sample_source *from, const train_accumulate_request *request,
                                 train_accumulation **out);
/* NULL is allowed. */
void train_accumulation_destroy(train_accumulation *a);

/* Does the step of these batches. */
status train_accumulation_step(train_accumulation *a, const train_group *group, const gnnc_optimizer *optimizer,
                               train_group_result *out);

#endif
