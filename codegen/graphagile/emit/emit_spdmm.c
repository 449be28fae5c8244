/* Aggregate layers: a block is a group of fibers and a destination shard; a loop over the shard's
 * pieces accumulates in F2 (GraphAGILE, Algorithm 6).
 *
 *   INIT F2; LOOP pieces { MEMRD E; MEMRD F0|F1; [MEMRD E form=value; ] SPDMM ... }; MEMWR F2
 *
 *   INIT F2; INIT F1; LOOP pieces { MEMRD E; MEMRD F0; SPDMM F1|F2 }; MEMWR F1; MEMWR F2
 *
 * The second form sums up two shards in one pass over the sources, but has one buffer for sources
 * instead of two: while a PE computes, other PEs use the memory. Descriptors say whether a piece
 * finds its source rows in the buffer (plan_pieces.h). emit_wave.c decides which blocks share
 * loads. */
#include "codegen/graphagile/emit/emit_spdmm.h"

#include "codegen/graphagile/emit/emit_band.h"
#include "codegen/graphagile/emit/emit_memo.h"
#include "codegen/graphagile/emit/emit_wave.h"
#include "codegen/graphagile/plan/plan_order.h"

int64_t graphagile_emit_spdmm(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  int64_t bands = graphagile_plan_pieces_of(l)->bands, blocks = 0;
  graphagile_emit_memo_reset(e);
  e->matrix_share = 1;
  if (l->tile.groups > 0) return graphagile_emit_waves(e);
  for (int64_t g = 0; g * l->tile.fibers < l->result->fibers; g++)
    for (int64_t b = 0; b < bands; b++) graphagile_emit_band(e, g, b, blocks++, (graphagile_emit_share){1, 1, 0});
  return blocks;
}
