/* The place where a batch of train_batches.h is made and computed: its part of the graph, the rows of its inputs, the bound
 * block. Threads that compute batches at once have a slot each. */
#ifndef GNNC_RUNTIME_TRAIN_SLOT_H
#define GNNC_RUNTIME_TRAIN_SLOT_H

#include "runtime/train_rows.h"

typedef struct train_slot {
  sample *part;
  train_rows *rows;
  void *bound, *workspace;
  size_t bound_room, workspace_room;
} train_slot;

/* Fills an empty slot. `in_type` is that of train_rows_create. What was made is destroyed by the caller after a failure, too. */
status train_slot_create(const train_session *s, const sample_source *from, int32_t *in_type, train_slot *out);
void train_slot_destroy(train_slot *slot);

/* Draws the part of these seeds, takes its rows, in which other nodes are not in the mask, and binds its graph. */
status train_slot_fill(train_slot *slot, const sample_rule *rule, const int32_t *seeds, int64_t count,
                       const char *mask);

#endif
