/* Aggregate layers that compute values of edges themselves. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_ATTENTION_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_ATTENTION_H

#include "codegen/graphagile/emit/emit_piece.h"

/* Emits the computations on a piece, where values are computed in the Edge Buffer or summed up
 * beside the columns. */
void graphagile_emit_attention(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
/* Whether an Aggregate needs that. */
bool graphagile_emit_has_attention(const graphagile_plan_spdmm *s);

#endif
