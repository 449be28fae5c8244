/* What Aggregate layers do for a destination shard, however its pieces come. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SHARD_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SHARD_H

#include "codegen/graphagile/emit/emit_piece.h"

/* Values and SPDMMs of a piece. */
void graphagile_emit_aggregate(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
/* What follows the sums of a shard. */
void graphagile_emit_finish(graphagile_emit *e, const graphagile_emit_region *r);
/* Rows of a shard, fibers of a group. */
graphagile_emit_region graphagile_emit_shard(const graphagile_emit *e, int64_t group, int64_t shard);

#endif
