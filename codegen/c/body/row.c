/* Rows of buffers at cursors: see row.h.
 *
 *   %w = intra.load(%W, %u)     W + g_unique_src->type[g_unique_src->row[p]] * 4096 */
#include "codegen/c/body/row.h"

#include "codegen/c/body/parameter.h"

#include <string.h>

/* The array with the type, pair of types or graph of a cursor's row: [rows of the value][rows of
 * the cursor]. */
static const char *const typed_rows[C_ROWS_COUNT][C_ROWS_COUNT] = {
    [C_ROWS_etype] = {[C_ROWS_edge] = "type",
                      [C_ROWS_etype_src] = "src_kind_etype",
                      [C_ROWS_etype_dst] = "dst_kind_etype"},
    [C_ROWS_ntype] = {[C_ROWS_node] = "node_type",
                      [C_ROWS_etype_src] = "src_kind_ntype",
                      [C_ROWS_etype_dst] = "dst_kind_ntype"},
    [C_ROWS_etype_src] = {[C_ROWS_edge] = "kind_src"},
    [C_ROWS_etype_dst] = {[C_ROWS_edge] = "kind_dst"},
    [C_ROWS_graph] = {[C_ROWS_node] = "batch"},
};

bool c_row_is_at(MlirValue cursor, c_rows rows) {
  return !strcmp(ir_type_of(cursor).detail, c_rows_describe(rows)->name);
}

const char *c_row_in_graph(c_body *b, const c_value *at) {
  if (at->set < 0 || b->model->sets.items[at->set].part < 0) return at->text;
  return arena_printf(b->model->arena, "%s->part[%s]", c_parameter_set(b, at->set), at->text);
}

/* The row of a value per type, pair of types or graph, at a cursor. */
static const char *typed_row(c_body *b, c_rows rows, MlirValue cursor) {
  arena *a = b->model->arena;
  const char *kind = ir_type_of(cursor).detail;
  const c_value *at = c_body_find(b, cursor);
  c_rows of = C_ROWS_one;
  c_rows_find(kind, strlen(kind), &of);
  if (of == rows) return at->text;
  const char *array = typed_rows[rows][of];
  if (array && of == C_ROWS_node)
    return arena_printf(a, "%s->%s[%s]", c_parameter_set(b, -1), array, c_row_in_graph(b, at));
  if (array) return arena_printf(a, "%s->%s[%s]", c_parameter_set(b, at->set), array, at->text);
  c_body_fail(b, b->kernel->op, DIAG_internal, "a value per type is read at a cursor of '%s', which has no such type",
              kind);
  return "0";
}

const char *c_row_of_edge(c_body *b, const c_buffer *buffer, const char *position) {
  if (!c_buffer_is_user(buffer) || !b->model->sets.items[buffer->set].has_csc) return position;
  return arena_printf(b->model->arena, "%s->number[%s]", c_parameter_set(b, buffer->set), position);
}

/* The number of a buffer's row at a cursor; NULL where the buffer has one row. */
static const char *row_number(c_body *b, const c_buffer *buffer, MlirValue cursor) {
  if (buffer->rows == C_ROWS_one || ir_value_is_null(cursor)) return NULL;
  const c_value *at = c_body_find(b, cursor);
  if (c_rows_describe(buffer->rows)->is_typed || buffer->rows == C_ROWS_graph)
    return typed_row(b, buffer->rows, cursor);
  return buffer->rows == C_ROWS_edge ? c_row_of_edge(b, buffer, at->text) : at->text;
}

const char *c_row_at_number(c_body *b, const c_parameter *p, const char *number) {
  const char *cast = strchr(number, '>') ? "(int64_t)" : "";
  if (p->buffer->elements == 1) return arena_printf(b->model->arena, "%s + %s", p->name, number);
  return arena_printf(b->model->arena, "%s + %s%s * %lld", p->name, cast, number, (long long)p->buffer->elements);
}

const char *c_row_at(c_body *b, const c_parameter *p, MlirValue cursor) {
  const char *number = row_number(b, p->buffer, cursor);
  if (!p->buffer->type.rank) return arena_printf(b->model->arena, "%s[%s]", p->name, number ? number : "0");
  return number ? c_row_at_number(b, p, number) : p->name;
}
