/* A small hash table from strings to pointers, on an arena. Internal to semantic analysis. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_MAP_H
#define GNNC_FRONTEND_SEMA_SEMA_MAP_H

#include "support/arena.h"

#include <stddef.h>

typedef struct sema_map_entry {
  const char *key;
  void *value; /* NULL = not there (any more) */
} sema_map_entry;

/* Start from all zero. Keys are kept by reference. */
typedef struct sema_map {
  sema_map_entry *entries;
  size_t count; /* of keys ever set */
  size_t capacity;
} sema_map;

/* The value, NULL when the key is not there. */
void *sema_map_get(const sema_map *m, const char *key);
/* Sets or, with NULL, removes. */
void sema_map_set(arena *a, sema_map *m, const char *key, void *value);

#endif
