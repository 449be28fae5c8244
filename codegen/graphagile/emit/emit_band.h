/* Blocks of Aggregate layers that are loops. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BAND_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_BAND_H

#include "codegen/graphagile/emit/emit_piece.h"

/* The block of a band of one or two shards for a group of fibers, with a LOOP over its pieces; all
 * its loads are shared alike. */
void graphagile_emit_band(graphagile_emit *e, int64_t group, int64_t band, int64_t number, graphagile_emit_share share);

#endif
