/* The rows of a session's inputs that belong to a part of its graph. */
#ifndef GNNC_RUNTIME_TRAIN_ROWS_H
#define GNNC_RUNTIME_TRAIN_ROWS_H

#include "runtime/sample.h"
#include "runtime/train.h"

/* Of each node, its number among the nodes of its type, where an input has rows of one type. */
typedef struct train_rows {
  const train_session *session;
  const void *const *from; /* inputs of the whole graph; NULL: the session's */
  const void **inputs;     /* of the last part, in the order of the session's */
  int32_t *in_type;        /* [num_nodes], the session's; NULL: no input needs it */
  struct train_rows_block *blocks;
  void *typed; /* numbers of rows of one type */
  size_t typed_room;
} train_rows;

/* Returns of each node its number among the nodes of its type, in the session's memory; NULL: no input or output needs it. */
int32_t *train_rows_in_type(const train_session *s);

/* `in_type` may serve several. Fails when memory is out. */
status train_rows_create(const train_session *s, int32_t *in_type, train_rows **out);
/* NULL is allowed. */
void train_rows_destroy(train_rows *r);

/* Returns how many of the rows of an input, which has rows of nodes, belong to the part's seeds: the first ones. */
int64_t train_rows_of_seeds(const sample *part, const gnnc_tensor_info *info);

/* Takes the rows of a part; those of `mask` beyond the part's seeds are 0. Fails when memory is out. */
status train_rows_take(train_rows *r, const sample *part, const char *mask);

#endif
