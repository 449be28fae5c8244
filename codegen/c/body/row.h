/* Rows of buffers at cursors, as text. */
#ifndef GNNC_CODEGEN_C_BODY_ROW_H
#define GNNC_CODEGEN_C_BODY_ROW_H

#include "codegen/c/body/body.h"

/* The row of a buffer at a cursor (null for buffers of one row): "z1 + n * 16", or "norm[p]" where
 * the payload is a scalar. */
const char *c_row_at(c_body *b, const c_parameter *buffer, MlirValue cursor);
/* The same at a row number, given as text. */
const char *c_row_at_number(c_body *b, const c_parameter *buffer, const char *number);
/* The number of a buffer's row for the edge at a position: buffers of the caller have edges in the
 * caller's order. */
const char *c_row_of_edge(c_body *b, const c_buffer *buffer, const char *position);
/* The node's number in the graph, of a row that counts nodes of one type. */
const char *c_row_in_graph(c_body *b, const c_value *at);
/* Whether a cursor is over such rows: "edge", "etype_src". */
bool c_row_is_at(MlirValue cursor, c_rows rows);

#endif
