/* Open addressing with linear probing, at most half full; see the header. */
#include "passes/gnn_map.h"

#include <stdint.h>

static size_t slot_of(const gnn_map *map, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  size_t slot = (size_t)(hash >> 32) & (map->capacity - 1);
  while (map->keys[slot] && map->keys[slot] != key) slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

static void grow(gnn_map *map) {
  gnn_map old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 64;
  map->keys = arena_alloc_array(map->arena, map->capacity, sizeof *map->keys);
  map->values = arena_alloc_array(map->arena, map->capacity, sizeof *map->values);
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.keys[i]) continue;
    size_t slot = slot_of(map, old.keys[i]);
    map->keys[slot] = old.keys[i];
    map->values[slot] = old.values[i];
  }
}

const void *gnn_map_get(const gnn_map *map, const void *key) {
  return map->capacity ? map->values[slot_of(map, key)] : NULL;
}

void gnn_map_set(gnn_map *map, const void *key, const void *value) {
  if (2 * (map->count + 1) > map->capacity) grow(map);
  size_t slot = slot_of(map, key);
  if (!map->keys[slot]) map->count++;
  map->keys[slot] = key;
  map->values[slot] = value;
}
