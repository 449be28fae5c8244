/* Loads and stores of rows. */
#ifndef GNNC_CODEGEN_C_OPERATION_LOAD_H
#define GNNC_CODEGEN_C_OPERATION_LOAD_H

#include "codegen/c/body/body.h"

void c_load_emit(c_body *b, MlirOperation op);
void c_load_emit_row(c_body *b, MlirOperation op);
/* The row of a matrix that was read in the body: that of the type of the loop's row. */
void c_load_emit_payload_row(c_body *b, MlirOperation op);
void c_load_emit_dense_row(c_body *b, MlirOperation op);
void c_load_emit_store(c_body *b, MlirOperation op);

#endif
