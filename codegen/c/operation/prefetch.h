/* Prefetches rows that later iterations of a loop over edges gather. */
#ifndef GNNC_CODEGEN_C_OPERATION_PREFETCH_H
#define GNNC_CODEGEN_C_OPERATION_PREFETCH_H

#include "codegen/c/operation/range.h"

/* Writes the prefetches at the beginning of the body of a loop over edges, before its cursor is
 * defined. */
void c_prefetch_emit(c_body *b, MlirOperation loop, const c_range *range);

/* The same in the first of two loops over the edges of a chunk, where rows are loaded in the second. Short rows
 * are prefetched, too: the second loop waits for none of them. */
void c_prefetch_emit_chunk(c_body *b, MlirOperation loop, const c_range *range);
/* The same for a kernel over edges, whose cursor is defined already. */
void c_prefetch_emit_kernel(c_body *b, MlirBlock block);

#endif
