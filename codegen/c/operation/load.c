/* Loads and stores of rows.
 *
 *   %z = intra.load(%z1, %s)          const real *z = z1 + s * 16;
 *   intra.store(%h, %h1, %n)          h1_row[j] = ..., unless the value was computed there */
#include "codegen/c/operation/load.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
#include "codegen/c/body/row.h"

#include <string.h>

/* Whether all users of a value are in the block that loads it. Others may be in loops, which would widen a row of bf16
 * again in each iteration. */
static bool has_near_users(MlirOperation load) {
  IR_FOR_EACH_USE(use, ir_result(load)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(load))) return false;
  }
  return true;
}

void c_load_emit(c_body *b, MlirOperation op) {
  c_parameter *p = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, load, buffer)));
  MlirValue cursor = ir_operand(op, IR_IN(intra, load, cursor)), value = ir_result(op);
  arena *a = b->model->arena;
  bool shared = p->is_written || c_parameter_is_shared(b, p->buffer);
  if (p->buffer->rows == C_ROWS_nonzero) {
    c_body_define_scalar(
        b, op, arena_printf(a, "%s%s->data[%s]", c_body_widen(b, true), p->name, c_body_find(b, cursor)->text), false);
    return;
  }
  const char *row = c_row_at(b, p, cursor);
  if (!p->buffer->type.rank) {
    c_body_define_scalar(b, op, arena_printf(a, "%s%s", c_body_widen(b, c_buffer_is_float(p->buffer)), row), shared);
    return;
  }
  if (p->buffer->rows == C_ROWS_one && !shared) {
    c_body_define(b, value, C_FORM_memory, p->name)->is_float = c_buffer_is_float(p->buffer);
    return;
  }
  const char *name = c_body_name(b, value, arena_printf(a, "%s_row", p->buffer->name));
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(p->buffer), name, row);
  c_value *row_value = c_body_define(b, value, C_FORM_memory, name);
  row_value->is_float = c_buffer_is_float(p->buffer);
  row_value->is_bf16 = p->buffer->is_bf16;
  if (!shared && (!row_value->is_bf16 || has_near_users(op))) return;
  c_target copy = {.base = c_names_add(&b->names, arena_printf(a, "%s_kept", p->buffer->name))};
  c_place_declare_copy(b, copy.base, p->buffer->elements); /* the next lines write the row, or loops read it */
  c_nest_store(b, value, copy);
  c_body_define(b, value, C_FORM_memory, copy.base);
}

void c_load_emit_row(c_body *b, MlirOperation op) {
  c_parameter *p = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, load_row, buffer)));
  const c_value *entry = c_body_find(b, ir_operand(op, IR_IN(intra, load_row, cursor)));
  ir_type row = ir_type_of(ir_result(op));
  arena *a = b->model->arena;
  if (!row.rank) {
    const char *widen = c_body_widen(b, c_buffer_is_float(p->buffer));
    c_body_define_scalar(b, op, arena_printf(a, "%s%s[%s]", widen, p->name, entry->src), false);
    return;
  }
  const char *name = c_body_name(b, ir_result(op), arena_printf(a, "%s_row", p->buffer->name));
  c_writer_line(b->w, "const %s *%s = %s + (int64_t)%s * %lld;", c_buffer_type(p->buffer), name, p->name, entry->src,
                (long long)ir_type_elements(row));
  c_body_define(b, ir_result(op), C_FORM_memory, name)->is_float = c_buffer_is_float(p->buffer);
}

void c_load_emit_payload_row(c_body *b, MlirOperation op) {
  const c_value *w = c_body_find(b, ir_operand(op, IR_IN(inter, row, w)));
  const c_value *entry = c_body_find(b, ir_operand(op, IR_IN(inter, row, cursor)));
  ir_type row = ir_type_of(ir_result(op));
  arena *a = b->model->arena;
  if (!row.rank) {
    const char *widen = c_body_widen(b, w->is_float);
    c_body_define_scalar(b, op, arena_printf(a, "%s%s[%s]", widen, w->text, entry->src), false);
    return;
  }
  const char *name = c_body_name(b, ir_result(op), "w_row");
  const char *type = w->is_float ? "float" : "real";
  c_writer_line(b->w, "const %s *%s = %s + (int64_t)%s * %lld;", type, name, w->text, entry->src,
                (long long)ir_type_elements(row));
  c_body_define(b, ir_result(op), C_FORM_memory, name)->is_float = w->is_float;
}

void c_load_emit_dense_row(c_body *b, MlirOperation op) {
  c_parameter *p = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, dense_row, buffer)));
  const char *node = c_body_find(b, ir_operand(op, IR_IN(intra, dense_row, node)))->text;
  c_target row = c_place_declare(b, ir_result(op), "dense", C_USE_summed);
  size_t mark = b->names.count;
  const char *k = c_names_add(&b->names, "entry");
  c_writer_open(b->w, "for (int64_t %s = %s->indptr[%s]; %s < %s->indptr[%s + 1]; %s++)", k, p->name, node, k, p->name,
                node, k);
  c_writer_line(b->w, "%s[%s->indices[%s]] += %s->data[%s];", row.base, p->name, k, p->name, k);
  c_writer_close(b->w);
  c_names_leave(&b->names, mark);
  c_target_define(b, ir_result(op), row);
}

void c_load_emit_store(c_body *b, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(intra, store, value));
  c_parameter *p = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, store, buffer)));
  if (c_body_find(b, value)->home == p->buffer) return;
  const char *row = c_row_at(b, p, ir_operand(op, IR_IN(intra, store, cursor)));
  c_target target = {.base = row, .is_float = c_buffer_is_float(p->buffer), .is_bf16 = p->buffer->is_bf16};
  if (p->buffer->type.rank && strcmp(row, p->name) != 0) {
    target.base = c_names_add(&b->names, arena_printf(b->model->arena, "%s_row", p->buffer->name));
    c_writer_line(b->w, "%s *%s = %s;", c_buffer_type(p->buffer), target.base, row);
  }
  c_nest_store(b, value, target);
}
