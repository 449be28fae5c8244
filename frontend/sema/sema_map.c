/* Open addressing with linear probing over FNV-1a; a removed key keeps its place, so that later
 * keys of its chain are still found. */
#include "frontend/sema/sema_map.h"

#include <stdint.h>
#include <string.h>

static uint64_t hash(const char *key) {
  uint64_t h = 14695981039346656037u;
  for (; *key; key++) h = (h ^ (unsigned char)*key) * 1099511628211u;
  return h ^ (h >> 29);
}

/* Returns the entry of the key, or the free entry where it belongs. */
static sema_map_entry *find(const sema_map *m, const char *key) {
  size_t i = hash(key) & (m->capacity - 1);
  while (m->entries[i].key && m->entries[i].key != key && strcmp(m->entries[i].key, key) != 0)
    i = (i + 1) & (m->capacity - 1);
  return &m->entries[i];
}

void *sema_map_get(const sema_map *m, const char *key) {
  return m->capacity ? find(m, key)->value : NULL;
}

static void grow(arena *a, sema_map *m) {
  sema_map larger = {.capacity = m->capacity ? m->capacity * 2 : 16};
  larger.entries = arena_alloc_array(a, larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < m->capacity; i++) {
    if (!m->entries[i].value) continue;
    *find(&larger, m->entries[i].key) = m->entries[i];
    larger.count++;
  }
  *m = larger;
}

void sema_map_set(arena *a, sema_map *m, const char *key, void *value) {
  if (!value && !sema_map_get(m, key)) return;
  if (value && m->count * 2 >= m->capacity) grow(a, m);
  sema_map_entry *entry = find(m, key);
  if (!entry->key) m->count++;
  *entry = (sema_map_entry){entry->key ? entry->key : key, value};
}
