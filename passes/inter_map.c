/* Pointers to numbers: open addressing, linear probing, at most half full. The passes of the inter level look values up once per operand,
 * so that their time grows with the number of operands. */
#include "passes/inter_map.h"

static size_t slot_of(const inter_map *m, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  size_t mask = m->capacity - 1, at = (size_t)(hash >> 32) & mask;
  while (m->keys[at] && m->keys[at] != key) at = (at + 1) & mask;
  return at;
}

static void grow(inter_map *m) {
  inter_map old = *m;
  m->capacity = old.capacity ? old.capacity * 2 : 64;
  m->keys = arena_alloc_array(m->arena, m->capacity, sizeof *m->keys);
  m->values = arena_alloc_array(m->arena, m->capacity, sizeof *m->values);
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.keys[i]) continue;
    size_t at = slot_of(m, old.keys[i]);
    m->keys[at] = old.keys[i];
    m->values[at] = old.values[i];
  }
}

int64_t inter_map_get(const inter_map *m, const void *key, int64_t fallback) {
  if (!m->capacity) return fallback;
  size_t at = slot_of(m, key);
  return m->keys[at] ? m->values[at] : fallback;
}

void inter_map_put(inter_map *m, const void *key, int64_t value) {
  if ((m->count + 1) * 2 > m->capacity) grow(m);
  size_t at = slot_of(m, key);
  if (!m->keys[at]) m->count++;
  m->keys[at] = key;
  m->values[at] = value;
}
