/* Blocks of Aggregate layers that share loads by broadcast. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_WAVE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_WAVE_H

#include "codegen/graphagile/emit/emit_state.h"

/* Emits all blocks of e->layer in waves; returns how many. */
int64_t graphagile_emit_waves(graphagile_emit *e);

#endif
