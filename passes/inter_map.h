/* A table from pointers (values, operations, blocks) to numbers, on the arena of a pass. */
#ifndef GNNC_PASSES_INTER_MAP_H
#define GNNC_PASSES_INTER_MAP_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start from `inter_map m = {.arena = a};`. Keys are never NULL. */
typedef struct inter_map {
  arena *arena;
  const void **keys;
  int64_t *values;
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} inter_map;

/* Returns the number kept for `key`, `fallback` if none. */
int64_t inter_map_get(const inter_map *m, const void *key, int64_t fallback);

/* Keeps `value` for `key`, in place of what was there. */
void inter_map_put(inter_map *m, const void *key, int64_t value);

#endif
