/* Exchanges of rows between ranks: calls of the functions in the caller's context.
 *
 *   if (begin_exchange(context, z, sizeof(real) * 64)) return GNNC_ERROR_COMM;
 *   if (end_exchange(context)) return GNNC_ERROR_COMM; */
#ifndef GNNC_CODEGEN_C_KERNEL_EXCHANGE_H
#define GNNC_CODEGEN_C_KERNEL_EXCHANGE_H

#include "codegen/c/body/body.h"

/* Describes intra.exchange as a kernel whose only parameter is the buffer. */
c_kernel c_exchange_make(c_model *m, const c_phase *phase, MlirOperation op);

/* Write the beginning of an exchange of `rows`, the name of the buffer's pointer, and its end. */
void c_exchange_emit_begin(c_model *m, c_writer *w, const c_kernel *kernel, const char *rows);
void c_exchange_emit_end(c_model *m, c_writer *w, c_timed timed);

#endif
