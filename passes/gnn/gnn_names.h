/* Unique readable names for values that become fields of a struct: what the model calls them, else
 * what computes them. */
#ifndef GNNC_PASSES_GNN_GNN_NAMES_H
#define GNNC_PASSES_GNN_GNN_NAMES_H

#include "dialects/ir.h"
#include "support/map.h"

/* `gnn_names names = {.arena = a, .used = {.arena = a}};` */
typedef struct gnn_names {
  arena *arena;
  map used; /* interned C spelling -> size_t: the last number given to it */
} gnn_names;

/* Marks a name as taken; null attributes and others than strings are ignored. */
void gnn_names_reserve(gnn_names *names, MlirAttribute name);

/* A name for `value` that is different from all others when spelled as a C identifier: the symbol
 * of a weight, the name in the model, else the operation; "_2", "_3" are appended where that is
 * taken. On the arena. */
const char *gnn_names_add(gnn_names *names, MlirValue value);

#endif
