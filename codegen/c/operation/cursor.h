/* Cursors: ends of edges, pairs of edges, degrees. */
#ifndef GNNC_CODEGEN_C_OPERATION_CURSOR_H
#define GNNC_CODEGEN_C_OPERATION_CURSOR_H

#include "codegen/c/body/body.h"

/* inter.src and inter.dst. */
void c_cursor_emit_end(c_body *b, MlirOperation op);
void c_cursor_emit_degree(c_body *b, MlirOperation op);
void c_cursor_emit_group(c_body *b, MlirOperation op);
void c_cursor_emit_group_size(c_body *b, MlirOperation op);
void c_cursor_emit_whole_row(c_body *b, MlirOperation op);

#endif
