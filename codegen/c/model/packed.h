/* Packed matrices: the forms of B that the model's GEMMs read. */
#ifndef GNNC_CODEGEN_C_MODEL_PACKED_H
#define GNNC_CODEGEN_C_MODEL_PACKED_H

#include "codegen/c/model/model.h"

/* The packed form of a GEMM's B in `phase`, made on first use. */
const c_packed *c_packed_find(c_model *m, const c_buffer *b, bool transposed, const c_phase *phase);
/* The memory that holds it: what lies in the bound block is packed there, other matrices where
 * their phase computes. */
c_memory c_packed_memory(const c_packed *p);
/* Columns that a matrix of so many is padded to when it is packed: panel_columns in prelude/gemm.h,
 * summed up. */
int64_t c_packed_columns(int64_t width);

#endif
