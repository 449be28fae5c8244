/* Rows of buffers at cursors, as text. */
#ifndef GNNC_CODEGEN_C_BODY_ROW_H
#define GNNC_CODEGEN_C_BODY_ROW_H

#include "codegen/c/body/body.h"

/* A row of a buffer at a cursor (null value = rows one): "z1 + n * 16", or "norm[p]" where the
 * payload is a scalar. */
const char *c_row_at(c_body *b, const c_parameter *buffer, MlirValue cursor);
/* The same at a row number, which is text. */
const char *c_row_at_number(c_body *b, const c_parameter *buffer, const char *number);
/* The number of a buffer's row for the edge at a position: callers keep edges in their own
 * order. */
const char *c_row_of_edge(c_body *b, const c_buffer *buffer, const char *position);
/* A row of nodes of one type as the node's number in the graph. */
const char *c_row_in_graph(c_body *b, const c_value *at);
/* True for a cursor over such rows: "edge", "etype_src". */
bool c_row_is_at(MlirValue cursor, c_rows rows);

#endif
