/* Blocks of element-wise layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_VECTOR_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_VECTOR_H

#include "codegen/graphagile/emit/emit_state.h"

/* Each emits all blocks of e->layer and returns how many: function of two tensors of rows,
 * functions of one tensor of rows, functions of values of edges. */
int64_t graphagile_emit_vadd(graphagile_emit *e);
int64_t graphagile_emit_map(graphagile_emit *e);
int64_t graphagile_emit_values(graphagile_emit *e);

#endif
