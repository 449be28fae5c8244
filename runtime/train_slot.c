/* Places for batches: see train_slot.h. */
#include "runtime/train_slot.h"

#include <stdlib.h>

status train_slot_create(const train_session *s, const sample_source *from, int32_t *in_type, train_slot *out) {
  RETURN_IF_ERROR(sample_create(from, &out->part));
  return train_rows_create(s, in_type, &out->rows);
}

void train_slot_destroy(train_slot *slot) {
  sample_destroy(slot->part);
  train_rows_destroy(slot->rows);
  free(slot->bound);
  free(slot->workspace);
}

status train_slot_fill(train_slot *slot, const sample_rule *rule, const int32_t *seeds, int64_t count,
                       const char *mask) {
  RETURN_IF_ERROR(sample_draw(slot->part, rule, seeds, count));
  RETURN_IF_ERROR(train_rows_take(slot->rows, slot->part, mask));
  return train_bind(slot->rows->session->info, &slot->part->part, NULL, NULL, &slot->bound, &slot->bound_room);
}
