/* Rows that later iterations of a loop over edges gather, asked for ahead of time. */
#ifndef GNNC_CODEGEN_C_OPERATION_PREFETCH_H
#define GNNC_CODEGEN_C_OPERATION_PREFETCH_H

#include "codegen/c/operation/range.h"

/* Asks for the rows that a later iteration of the loop over edges gathers; at the beginning of the
 * loop's body, before its cursor is defined. */
void c_prefetch_emit(c_body *b, MlirOperation loop, const c_range *range);
/* The same for a kernel over edges, whose cursor is defined. */
void c_prefetch_emit_kernel(c_body *b, MlirBlock block);

#endif
