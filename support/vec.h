/* Growable arrays on an arena: VEC(int) v = {0}; VEC_PUSH(a, &v, 3); v.items[0], v.count. Growth
 * copies the items into new arena memory; the old block stays until the arena is destroyed. */
#ifndef GNNC_SUPPORT_VEC_H
#define GNNC_SUPPORT_VEC_H

#include "support/arena.h"

#define VEC(type)                                                                                                      \
  struct {                                                                                                             \
    type *items;                                                                                                       \
    size_t count;                                                                                                      \
    size_t capacity;                                                                                                   \
  }

#define VEC_PUSH(arena_, vec_, ...)                                                                                    \
  do {                                                                                                                 \
    if ((vec_)->count == (vec_)->capacity)                                                                             \
      (vec_)->items = vec_grow((arena_), (vec_)->items, &(vec_)->capacity, sizeof *(vec_)->items);                     \
    (vec_)->items[(vec_)->count++] = (__VA_ARGS__);                                                                    \
  } while (0)

/* Returns a block of twice the capacity (at least 8 items) with a copy of `items`, owned by the
 * arena, and updates `*capacity`. */
void *vec_grow(arena *a, const void *items, size_t *capacity, size_t item_size);

#endif
