/* Exchanges of rows between ranks: calls of the functions in the caller's context.
 *
 *   const gnnc_node_rows values[] = {{z, sizeof(real) * 64}, {p, sizeof(real) * 8}};
 *   const gnnc_result begun = begin_exchange(context, values, 2);
 *   if (begun) return begun;
 *   gnnc_result exchanged = end_exchange(context);
 *   if (exchanged) return exchanged; */
#ifndef GNNC_CODEGEN_C_KERNEL_EXCHANGE_H
#define GNNC_CODEGEN_C_KERNEL_EXCHANGE_H

#include "codegen/c/body/body.h"

/* Describes intra.exchange, intra.exchange_edges, intra.share or intra.transpose as a kernel whose parameters are the buffers; behind that of edges may
 * stand their set. */
c_kernel c_exchange_make(c_model *m, const c_phase *phase, MlirOperation op);

/* The bytes of a row of a buffer, as text: "sizeof(real) * 64". */
const char *c_exchange_row_bytes(const c_model *m, const c_buffer *b);

/* Write the beginning of an exchange, with the names of the pointers to the kernel's buffers, and its end. */
void c_exchange_emit_begin(const c_model *m, c_writer *w, const c_kernel *kernel, const char *const *rows);
void c_exchange_emit_end(c_model *m, c_writer *w, c_timed timed);

/* Writes intra.share of a buffer with this pointer: gives all ranks the rows of all pieces. */
void c_exchange_emit_share(c_model *m, c_writer *w, const c_kernel *kernel, const char *rows, c_timed timed);

/* Writes intra.transpose, with the names of the pointers to the kernel's buffers. */
void c_exchange_emit_transpose(c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names,
                               c_timed timed);

/* Writes intra.exchange_edges, with the names of the pointers to the kernel's buffer and set. */
void c_exchange_emit_edges(c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names, c_timed timed);

#endif
