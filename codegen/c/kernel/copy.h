/* Kernels that copy buffers, and that copy edge values to a graph with more edges. */
#ifndef GNNC_CODEGEN_C_KERNEL_COPY_H
#define GNNC_CODEGEN_C_KERNEL_COPY_H

#include "codegen/c/body/body.h"

/* Writes the kernel of an intra.copy. */
void c_copy_emit(c_body *b);
/* Writes the kernel of an intra.opposite_edges. */
void c_copy_emit_opposite(c_body *b);
/* Writes the kernel of an intra.extend_edges. */
void c_copy_emit_extend(c_body *b);

#endif
