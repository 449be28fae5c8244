/* The parts of Aggregate blocks that do not depend on the order of their pieces. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SHARD_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SHARD_H

#include "codegen/graphagile/emit/emit_piece.h"

/* Emits the computations on a piece: values where the layer computes them, and SPDMMs. */
void graphagile_emit_aggregate(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
/* Emits what follows the sums of a shard: rows without edges, addend and bias, epilogues, the
 * store. */
void graphagile_emit_finish(graphagile_emit *e, const graphagile_emit_region *r);
/* The region of a block: the rows of a shard and the fibers of a group. */
graphagile_emit_region graphagile_emit_shard(const graphagile_emit *e, int64_t group, int64_t shard);

#endif
