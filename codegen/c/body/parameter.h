/* Parameters of a kernel: the buffers, packed matrices and edge sets that its text may use. */
#ifndef GNNC_CODEGEN_C_BODY_PARAMETER_H
#define GNNC_CODEGEN_C_BODY_PARAMETER_H

#include "codegen/c/body/body.h"

/* Declare what a kernel may use, before anything is written. */
void c_parameter_declare_buffer(c_body *b, MlirValue value, bool is_written);
/* The step of training as text, which becomes a parameter. */
const char *c_parameter_step(c_body *b);
void c_parameter_declare_set(c_body *b, int set);
void c_parameter_declare_packed(c_body *b, const c_packed *packed, const char *name);
/* The parameter of a declared buffer; marks it as used. */
c_parameter *c_parameter_buffer(c_body *b, MlirValue value);
/* The names of a declared set (-1: any set, for arrays that all share) and of a declared matrix;
 * mark them as used. */
const char *c_parameter_set(c_body *b, int set);
const char *c_parameter_packed(c_body *b, const c_packed *packed);
/* Whether a row that was read may be overwritten by a store of this kernel. */
bool c_parameter_is_shared(c_body *b, const c_buffer *buffer);

#endif
