/* Hash maps on an arena: `map m = {.arena = a}; map_set(&m, value.ptr, 7); map_get(&m, value.ptr,
 * -1)`. Keys are addresses, or strings compared by their characters where `of_strings` is set. */
#ifndef GNNC_SUPPORT_MAP_H
#define GNNC_SUPPORT_MAP_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct map_entry {
  const void *key; /* NULL = free */
  int64_t value;
} map_entry;

/* Start from an arena and zeros; an empty map takes no memory. Keys are kept by reference and never
 * NULL. */
typedef struct map {
  arena *arena;
  bool of_strings;
  map_entry *entries;
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} map;

/* Returns the number kept for `key`, `fallback` if none. */
int64_t map_get(const map *m, const void *key, int64_t fallback);

/* Keeps `value` for `key`, in place of what was there. */
void map_set(map *m, const void *key, int64_t value);

/* The same for pointers: NULL if none. */
void *map_get_pointer(const map *m, const void *key);
void map_set_pointer(map *m, const void *key, const void *value);

#endif
