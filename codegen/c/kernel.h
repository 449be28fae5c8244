/* Kernels: one static C function for each gemm, traverse, copy and extend_edges of the module. */
#ifndef GNNC_CODEGEN_C_KERNEL_H
#define GNNC_CODEGEN_C_KERNEL_H

#include "codegen/c/body.h"

/* One written function and what its call needs. */
typedef struct c_kernel {
  MlirOperation op;
  const char *name;
  c_rows rows; /* node or edge: takes a range of rows; one: takes none */
  int set;
  const c_parameter *parameters; /* those it takes */
  size_t parameter_count;
  const c_packed *packs; /* the packed B this kernel multiplies by, NULL for the others */
  const c_buffer *packs_from;
} c_kernel;

typedef VEC(c_kernel) c_kernels;

/* Writes the kernels of a phase as functions and lists them in order of execution. `names` holds what the file names already. */
void c_kernel_emit_all(c_model *m, const c_phase *phase, c_writer *w, c_names *names, c_kernels *out);

/* ---- for gemm.c and copy.c ---- */

void c_gemm_emit(c_body *b, c_kernel *kernel);
void c_copy_emit(c_body *b, c_kernel *kernel);
void c_copy_emit_extend(c_body *b, c_kernel *kernel);

#endif
