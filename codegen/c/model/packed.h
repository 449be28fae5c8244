/* Packed matrices: the forms of B that the model's GEMMs read. */
#ifndef GNNC_CODEGEN_C_MODEL_PACKED_H
#define GNNC_CODEGEN_C_MODEL_PACKED_H

#include "codegen/c/model/model.h"

/* The packed form of a GEMM's B in `phase`; it is made on first use. */
const c_packed *c_packed_find(c_model *m, const c_buffer *b, bool transposed, const c_phase *phase);
/* The memory of the packed form: matrices in the bound block are packed there, others in the
 * workspace of their phase. */
c_memory c_packed_memory(const c_packed *p);
/* The number of columns to which packing pads a matrix: the sum of panel_columns in
 * prelude/gemm.h. */
int64_t c_packed_columns(int64_t width);

#endif
