/* A hash map from pointers to pointers on an arena: values of the IR to what a pass knows of them. `gnn_map m =
 * {arena};` */
#ifndef GNNC_PASSES_GNN_MAP_H
#define GNNC_PASSES_GNN_MAP_H

#include "support/arena.h"

#include <stddef.h>

typedef struct gnn_map {
  arena *arena;
  const void **keys; /* NULL = free */
  const void **values;
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} gnn_map;

/* The value of a key, NULL if there is none. */
const void *gnn_map_get(const gnn_map *map, const void *key);
/* Adds or replaces; the key is not NULL. */
void gnn_map_set(gnn_map *map, const void *key, const void *value);

#endif
