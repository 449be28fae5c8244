/* Hash maps on an arena: `map m = {.arena = a}; map_set(&m, value.ptr, 7); map_get(&m, value.ptr,
 * -1)`. Keys are addresses, or strings that are compared by their characters if `of_strings` is
 * set. */
#ifndef GNNC_SUPPORT_MAP_H
#define GNNC_SUPPORT_MAP_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct map_entry {
  const void *key; /* NULL: free */
  int64_t value;
} map_entry;

/* All members except arena and of_strings start at zero; an empty map needs no memory. The map
 * keeps the pointers to its keys, which must not be NULL. */
typedef struct map {
  arena *arena;
  bool of_strings;
  map_entry *entries;
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} map;

/* Returns the value of `key`, or `fallback` if the map has no such key. */
int64_t map_get(const map *m, const void *key, int64_t fallback);

/* Sets the value of `key` and replaces an old one. */
void map_set(map *m, const void *key, int64_t value);

/* The same for values that are pointers; NULL if the map has no such key. */
void *map_get_pointer(const map *m, const void *key);
void map_set_pointer(map *m, const void *key, const void *value);

#endif
