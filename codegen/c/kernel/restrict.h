/* Edge values of a graph, from those of a graph with more edges: intra.restrict_edges, by restrict_edges of the prelude. */
#ifndef GNNC_CODEGEN_C_KERNEL_RESTRICT_H
#define GNNC_CODEGEN_C_KERNEL_RESTRICT_H

#include "codegen/c/body/body.h"

/* Describes the call: its buffers, then the sets whose arrays it reads. */
c_kernel c_restrict_make(c_model *m, const c_phase *phase, MlirOperation op);
/* Writes the call with the names of these, in their order. */
void c_restrict_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                     c_timed timed);

#endif
