/* Values of edges that are made on the piece. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_ATTENTION_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_ATTENTION_H

#include "codegen/graphagile/emit/emit_piece.h"

/* Values and SPDMMs of a piece where values are made on it or summed up beside the columns. */
void graphagile_emit_attention(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
bool graphagile_emit_has_attention(const graphagile_plan_spdmm *s);

#endif
