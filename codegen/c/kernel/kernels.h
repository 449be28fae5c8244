/* Kernels: one static C function for each gemm, traverse, copy and extend_edges of the module. */
#ifndef GNNC_CODEGEN_C_KERNEL_KERNELS_H
#define GNNC_CODEGEN_C_KERNEL_KERNELS_H

#include "codegen/c/body/body.h"

/* The kernels of a phase, in the order in which they are executed. */
typedef struct c_kernels {
  const c_phase *phase;
  c_kernel *items;
  size_t count, capacity;
  int64_t first_cost; /* place of the first one among the costs of all phases */
} c_kernels;

/* Makes the kernels of out->phase, which the caller has set, with the text of their functions.
 * `names` holds the names that the file uses already; names of kernels are added. */
void c_kernels_make(c_model *m, c_names *names, c_kernels *out);
/* Writes the functions, except those that are left out. */
void c_kernels_emit(const c_kernels *kernels, c_writer *w);

#endif
