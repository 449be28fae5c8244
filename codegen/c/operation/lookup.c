/* Rows of tables that an index picks; nothing is copied.
 *
 *   %h = gnn.lookup(%E, %z)                          const float *h = E + (int64_t)z[n] * 64;
 *   %w = gnn.lookup(%W, %d) {low = 0, high = 4}      const real *w = W + whole_between(degree, 0, 4) * 32;
 *
 * The row exists: integer inputs were checked when run began, and other indices have bounds that are
 * rows. */
#include "codegen/c/operation/lookup.h"

#include "codegen/c/body/place.h"

/* The number of the row, int64_t. */
static const char *row_of(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  MlirValue index = ir_operand(op, IR_IN(gnn, lookup, index));
  const char *row = c_body_find(b, index)->text;
  long long low = (long long)ir_get_integer(op, "low", INT32_MIN);
  long long high = (long long)ir_get_integer(op, "high", INT32_MAX);
  bool is_bounded = low > INT32_MIN || high < INT32_MAX;
  if (!ir_type_of(index).is_integer) return arena_printf(a, "whole_between(%s, %lld, %lld)", row, low, high);
  if (!is_bounded) return arena_printf(a, "(int64_t)%s", row);
  return arena_printf(a, "index_between(%s, %s, %s)", row, low > INT32_MIN ? arena_printf(a, "%lld", low) : "INT32_MIN",
                      high < INT32_MAX ? arena_printf(a, "%lld", high) : "INT32_MAX");
}

void c_lookup_emit(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  MlirValue value = ir_result(op), table = ir_operand(op, IR_IN(gnn, lookup, table));
  ir_type row = ir_type_of(value);
  const char *memory = c_place_in_memory(b, table);
  bool is_float = c_body_find(b, table)->is_float;
  if (!row.rank) {
    c_body_define_scalar(b, op, arena_printf(a, "%s%s[%s]", c_body_widen(b, is_float), memory, row_of(b, op)), false);
    return;
  }
  const char *name = c_body_name(b, value, "row"), *type = is_float ? "float" : "real";
  c_writer_line(b->w, "const %s *%s = %s + %s * %lld;", type, name, memory, row_of(b, op),
                (long long)ir_type_elements(row));
  c_body_define(b, value, C_FORM_memory, name)->is_float = is_float;
}
