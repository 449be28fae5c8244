/* Blocks of Aggregate layers that share loads. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_WAVE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_WAVE_H

#include "codegen/graphagile/emit/emit_state.h"

/* All blocks of the layer, in waves that share loads; returns how many. */
int64_t graphagile_emit_waves(graphagile_emit *e);

#endif
