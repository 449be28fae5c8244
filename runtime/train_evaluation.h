/* Evaluation by parts: the outputs of a session's graph, computed for some nodes at a time from all nodes and edges that these reach, so
 * that no workspace for the whole graph is needed. Rows are those of train_evaluate but for rounding.
 *
 *   train_evaluation_create(session, &request, &evaluation);
 *   train_evaluation_run(evaluation, NULL, &loss);              session->outputs are filled at the nodes of the masks */
#ifndef GNNC_RUNTIME_TRAIN_EVALUATION_H
#define GNNC_RUNTIME_TRAIN_EVALUATION_H

#include "data/reach.h"
#include "runtime/sample.h"
#include "runtime/train.h"

typedef struct train_evaluation train_evaluation;

typedef struct train_evaluation_request {
  const sample_source *source; /* of the session's graph; lives as long */
  const graph_reach *reach;    /* of the model's outputs: hops along incoming edges */
  int64_t batch_size;          /* nodes of a part, before those that they reach */
  int32_t threads;             /* each has a part and a workspace of its own */
} train_evaluation_request;

/* Fails where an output has no row per node, and for models that reach more hops than a sample has. The session's loss reads
 * train_mask with a number per node (train_batches.h checks it). */
status train_evaluation_create(train_session *s, const train_evaluation_request *request, train_evaluation **out);
/* NULL is allowed. */
void train_evaluation_destroy(train_evaluation *e);

/* Computes the outputs at the nodes of train_mask, val_mask and test_mask, or at all nodes where the graph has no such masks. *loss
 * is the mean of the losses of the parts, weighted by the mask: that of the whole graph where it is a mean over train_mask. `inputs` may replace the session's. */
status train_evaluation_run(train_evaluation *e, const void *const *inputs, float *loss);

#endif
