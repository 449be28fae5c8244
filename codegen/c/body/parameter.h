/* Parameters of a kernel: the buffers, packed matrices and edge sets that its text may name. */
#ifndef GNNC_CODEGEN_C_BODY_PARAMETER_H
#define GNNC_CODEGEN_C_BODY_PARAMETER_H

#include "codegen/c/body/body.h"

/* Declare what a kernel may name, before anything is written. */
void c_parameter_declare_buffer(c_body *b, MlirValue value, bool is_written);
void c_parameter_declare_set(c_body *b, int set);
void c_parameter_declare_packed(c_body *b, const c_packed *packed, const char *name);
/* The parameter of a declared buffer, used from now on. */
c_parameter *c_parameter_buffer(c_body *b, MlirValue value);
/* The names of a declared set (-1: any, for arrays that all share) and matrix, used from now on. */
const char *c_parameter_set(c_body *b, int set);
const char *c_parameter_packed(c_body *b, const c_packed *packed);
/* True where a row read now may be overwritten by a store of this kernel. */
bool c_parameter_is_shared(c_body *b, const c_buffer *buffer);

#endif
