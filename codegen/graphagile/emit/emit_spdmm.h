/* Blocks of Aggregate layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SPDMM_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_SPDMM_H

#include "codegen/graphagile/emit/emit_state.h"

/* Emits all blocks of e->layer; returns how many. */
int64_t graphagile_emit_spdmm(graphagile_emit *e);

#endif
