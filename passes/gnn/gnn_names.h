/* Unique readable names for values that become members of a struct: the name in the model, else one
 * made from the operation. */
#ifndef GNNC_PASSES_GNN_GNN_NAMES_H
#define GNNC_PASSES_GNN_GNN_NAMES_H

#include "dialects/ir.h"
#include "support/map.h"

/* Begin with `gnn_names names = {.arena = a, .used = {.arena = a}};`. */
typedef struct gnn_names {
  arena *arena;
  map used; /* from an interned C spelling to a size_t: the last number appended to it */
} gnn_names;

/* Marks a name as used; null attributes and attributes other than strings are ignored. */
void gnn_names_reserve(gnn_names *names, MlirAttribute name);

/* A name for `value` that differs from all others as a C identifier: the symbol of a weight, the
 * name in the model, else the operation, with "_2", "_3" appended where that is used. In the
 * arena. */
const char *gnn_names_add(gnn_names *names, MlirValue value);

#endif
