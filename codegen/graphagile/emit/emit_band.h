/* Blocks of Aggregate layers whose pieces are executed in a LOOP. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BAND_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BAND_H

#include "codegen/graphagile/emit/emit_piece.h"

/* Emits the block of a band of one or two shards for a group of fibers, with a LOOP over its
 * pieces. `number` is the block's in the layer, and `share` says how many PEs each of its loads
 * serves. */
void graphagile_emit_band(graphagile_emit *e, int64_t group, int64_t band, int64_t number, graphagile_emit_share share);

#endif
