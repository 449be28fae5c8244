/* The state with which a kernel's text is written: see body.h. */
#include "codegen/c/body/body.h"

#include <string.h>

void c_body_fail(c_body *b, MlirOperation op, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(b->model->arena, format, args);
  va_end(args);
  c_model_fail(b->model, op, id, "%s", message);
  b->failed = true;
}

/* ---- values ---- */

c_value *c_body_find(c_body *b, MlirValue value) {
  for (size_t i = b->values.count; i-- > 0;)
    if (mlirValueEqual(b->values.items[i]->value, value)) return b->values.items[i];
  if (!b->failed) c_body_fail(b, b->kernel->op, DIAG_internal, "a value is used before it is computed");
  return c_body_define(b, value, ir_type_of(value).rank ? C_FORM_memory : C_FORM_scalar, "unknown");
}

c_value *c_body_define(c_body *b, MlirValue value, c_form form, const char *written) {
  c_value *v = arena_alloc(b->model->arena, sizeof *v);
  *v = (c_value){.value = value, .form = form, .text = written, .set = -1, .type = ir_type_of(value)};
  v->depth = b->w->depth;
  VEC_PUSH(b->model->arena, &b->values, v);
  return v;
}

bool c_body_has_near_user(MlirValue value, MlirOperation op) {
  if (!ir_value_has_one_use(value)) return false;
  MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
  return mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op));
}

void c_body_define_scalar(c_body *b, MlirOperation op, const char *expression, bool keep_place) {
  MlirValue value = ir_result(op);
  if (!c_body_has_near_user(value, op) || keep_place) {
    const char *name = c_body_name(b, value, "t");
    c_writer_line(b->w, "const %s %s = %s;", c_body_element(ir_type_of(value)), name, expression);
    expression = name;
  }
  c_body_define(b, value, C_FORM_scalar, expression);
}

bool c_body_is_pending(c_body *b, MlirValue value) {
  return c_body_find(b, value)->form == C_FORM_pending;
}

/* ---- text ---- */

const char *c_body_name(c_body *b, MlirValue value, const char *fallback) {
  const char *name = NULL;
  MlirOperation op = ir_defining_op(value);
  if (!mlirOperationIsNull(op)) name = ir_location_name(mlirOperationGetLocation(op));
  return c_names_add(&b->names, name && *name ? name : fallback);
}

const char *c_body_element(ir_type type) {
  return type.is_integer ? "int32_t" : "real";
}

const char *c_body_widen(const c_body *b, bool is_float) {
  return is_float && b->model->options->is_f64 ? "(real)" : "";
}

const char *c_body_element_at(const c_body *b, const c_value *memory, const char *at) {
  arena *a = b->model->arena;
  if (memory->is_bf16) return arena_printf(a, "bf16_widen(%s[%s])", memory->text, at);
  return arena_printf(a, "%s%s[%s]", c_body_widen(b, memory->is_float), memory->text, at);
}

const char *c_body_narrow(const c_body *b, bool is_float) {
  return is_float && b->model->options->is_f64 ? "(float)" : "";
}

const char *c_body_each_of(const c_body *b, const char *variable, const char *begin, const char *end) {
  return arena_printf(b->model->arena, "for (int64_t %s = %s; %s < %s; %s++)", variable, begin, variable, end,
                      variable);
}

const char *c_body_each(const c_body *b, const char *variable, int64_t count) {
  return c_body_each_of(b, variable, "0", arena_printf(b->model->arena, "%lld", (long long)count));
}

void c_body_emit_each(c_body *b, const char *variable, int64_t count, const char *array, const char *assignment) {
  size_t mark = b->names.count;
  variable = c_names_add(&b->names, variable);
  c_writer_line(b->w, "%s %s[%s] %s;", c_body_each(b, variable, count), array, variable, assignment);
  c_names_leave(&b->names, mark);
}

/* ---- blocks ---- */

void c_body_emit_operation(c_body *b, MlirOperation op) {
  if (!strcmp(ir_op_name(op), "smt.yield")) return;
  if (mlirOperationGetNumResults(op) && !ir_value_use_count(ir_result(op))) return;
  b->emit(b, op);
}

void c_body_emit_block(c_body *b, MlirBlock block) {
  IR_FOR_EACH_OP(op, block) {
    if (b->failed) return;
    c_body_emit_operation(b, op);
  }
}
