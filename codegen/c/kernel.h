/* Kernels: one static C function for each gemm, traverse, copy and extend_edges of the module. */
#ifndef GNNC_CODEGEN_C_KERNEL_H
#define GNNC_CODEGEN_C_KERNEL_H

#include "codegen/c/body.h"

/* One written function and what its call needs. */
typedef struct c_kernel {
  MlirOperation op;
  const char *name;
  c_rows rows; /* of one: it takes no range of rows */
  int set;
  int64_t count;                 /* rows that are types: how many */
  const c_parameter *parameters; /* those it takes */
  size_t parameter_count;
  const c_packed *packs; /* the packed B this kernel multiplies by, NULL for the others */
  const c_buffer *packs_from;
  const char *code; /* the function */
  bool is_left_out; /* nothing reads what it writes */
} c_kernel;

typedef VEC(c_kernel) c_kernels;

/* Lists the kernels of a phase with their functions in order of execution. `names` holds what the file names already. */
void c_kernel_make_all(c_model *m, const c_phase *phase, c_names *names, c_kernels *out);
/* Writes the functions. */
void c_kernel_emit_all(const c_kernels *kernels, c_writer *w);
/* Leaves out what bind would copy for products alone, which read the packed form (unpacked.c). */
void c_kernel_leave_out_copies(c_model *m, c_kernels *of_bind, const c_kernels *of_run);

/* The number of rows a kernel runs over, as text on the bound block's header; NULL for one. */
const char *c_kernel_rows(const c_model *m, const c_kernel *kernel);

/* ---- for gemm.c, typed_gemm.c and copy.c ---- */

/* The buffer in which a GEMM's product may be written in place, `reach` numbers a row, NULL if none; *is_all: nothing else is to be
 * done (gemm_direct.c). */
const c_parameter *c_gemm_direct(c_body *b, MlirOperation gemm, int64_t reach, bool *is_all);
/* True for products that typed_gemm.c writes: gathered rows, a matrix per type or per leading position. */
bool c_typed_gemm_takes(c_body *b, MlirOperation op);
void c_typed_gemm_emit(c_body *b, c_kernel *kernel);

void c_gemm_emit(c_body *b, c_kernel *kernel);
void c_copy_emit(c_body *b, c_kernel *kernel);
void c_copy_emit_extend(c_body *b, c_kernel *kernel);

#endif
