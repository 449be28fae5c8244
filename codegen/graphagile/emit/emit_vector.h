/* Blocks of element-wise layers. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_VECTOR_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_VECTOR_H

#include "codegen/graphagile/emit/emit_state.h"

/* Emit all blocks of a layer on rows, of functions of rows, and on values of edges; return how
 * many. */
int64_t graphagile_emit_vadd(graphagile_emit *e);
int64_t graphagile_emit_map(graphagile_emit *e);
int64_t graphagile_emit_values(graphagile_emit *e);

#endif
