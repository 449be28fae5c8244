/* Hubs have several places among the rows of a shard (graphagile_partition_shape): instructions that fill these, and
 * that join them. All functions emit nothing where the shape has no hubs. base: first row in the buffer of the fibers
 * that are meant. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_HUBS_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_HUBS_H

#include "codegen/graphagile/emit/emit_state.h"

/* Some fibers of the rows of a shard in a Feature Buffer. */
typedef struct graphagile_emit_hubs {
  const graphagile_partition_shape *shape;
  int buffer;
  uint64_t base;
  int64_t fibers;
  uint64_t stride;
} graphagile_emit_hubs;

/* Fills the places with the number that a maximum or minimum replaces by any other. */
void graphagile_emit_begin_hubs(graphagile_emit *e, const graphagile_emit_hubs *h, int reduce);
/* Copies the rows of hubs to all their places. */
void graphagile_emit_copy_hubs(graphagile_emit *e, const graphagile_emit_hubs *h);
/* Joins the numbers in all places of a hub in its row by a reduction. */
void graphagile_emit_join_hubs(graphagile_emit *e, const graphagile_emit_hubs *h, int reduce);

#endif
