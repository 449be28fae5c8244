/* Hash maps with open addressing and linear probing, at most half full, so that a lookup takes the
 * same time in a large model as in a small one. */
#include "support/map.h"

#include <string.h>

static uint64_t hash(const map *m, const void *key) {
  if (!m->of_strings) return ((uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
  uint64_t h = UINT64_C(14695981039346656037);
  for (const char *c = key; *c; c++) h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
  return h ^ (h >> 29);
}

/* Returns the entry of the key, or the free entry for it. */
static map_entry *find(const map *m, const void *key) {
  size_t mask = m->capacity - 1, i = (size_t)hash(m, key) & mask;
  for (; m->entries[i].key && m->entries[i].key != key; i = (i + 1) & mask)
    if (m->of_strings && !strcmp(m->entries[i].key, key)) break;
  return &m->entries[i];
}

static void grow(map *m) {
  map old = *m;
  m->capacity = old.capacity ? old.capacity * 2 : 16;
  m->entries = arena_alloc_array(m->arena, m->capacity, sizeof *m->entries);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.entries[i].key) *find(m, old.entries[i].key) = old.entries[i];
}

int64_t map_get(const map *m, const void *key, int64_t fallback) {
  if (!m->capacity) return fallback;
  const map_entry *entry = find(m, key);
  return entry->key ? entry->value : fallback;
}

void map_set(map *m, const void *key, int64_t value) {
  if (2 * (m->count + 1) > m->capacity) grow(m);
  map_entry *entry = find(m, key);
  if (!entry->key) {
    m->count++;
    entry->key = key;
  }
  entry->value = value;
}

void *map_get_pointer(const map *m, const void *key) {
  return (void *)(intptr_t)map_get(m, key, 0);
}

void map_set_pointer(map *m, const void *key, const void *value) {
  map_set(m, key, (int64_t)(intptr_t)value);
}
