/* Growth of a VEC: twice the capacity in new arena memory, with a copy of the old items. */
#include "support/vec.h"

#include <string.h>

void *vec_grow(arena *a, const void *items, size_t *capacity, size_t item_size) {
  size_t old = *capacity;
  size_t grown = old ? old * 2 : 8;
  void *block = arena_alloc_array(a, grown, item_size);
  if (old) memcpy(block, items, old * item_size);
  *capacity = grown;
  return block;
}
