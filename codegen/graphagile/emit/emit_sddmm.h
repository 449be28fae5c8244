/* Blocks of Vector-Inner layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SDDMM_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SDDMM_H

#include "codegen/graphagile/emit/emit_state.h"

/* Emits all blocks of e->layer; returns how many. */
int64_t graphagile_emit_sddmm(graphagile_emit *e);

#endif
