/* Where values are computed: see place.h.
 *
 *   %z = gnn.linear(...)  intra.store(%z, %m, %n)      real *restrict z = m + n * 512; ... and no store */
#include "codegen/c/body/place.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"

/* The operation that stores a value, or a reshape of it, in the same block; null if there is
 * none. */
static MlirOperation find_store(MlirValue value, MlirOperation definition) {
  MlirOperation none = {NULL};
  IR_FOR_EACH_USE(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(definition))) continue;
    if (ir_op_kind(user) == IR_OP(intra, store)) return user;
    if (ir_op_kind(user) != IR_OP(gnn, reshape)) continue;
    MlirOperation found = find_store(ir_result(user), definition);
    if (!mlirOperationIsNull(found)) return found;
  }
  return none;
}

static void declare_array(c_body *b, const char *type, const char *name, int64_t elements, bool is_zeroed) {
  if (elements <= C_STACK_ELEMENTS) {
    c_writer_line(b->w, is_zeroed ? "%s %s[%lld] = {0};" : "%s %s[%lld];", type, name, (long long)elements);
    return;
  }
  c_writer_line(b->w, "static _Thread_local %s %s[%lld]; /* too long for a stack */", type, name, (long long)elements);
  if (is_zeroed) c_body_emit_each(b, "j", elements, name, "= 0");
}

void c_place_declare_array(c_body *b, const char *name, int64_t elements, bool is_zeroed) {
  declare_array(b, "real", name, elements, is_zeroed);
}

void c_place_declare_copy(c_body *b, const char *name, int64_t elements) {
  declare_array(b, elements < 4 ? "real" : "_Alignas(32) real", name, elements, false);
}

static c_target place_in_row(c_body *b, MlirOperation store, const char *fallback, int64_t elements, bool is_zeroed) {
  c_parameter *p = c_parameter_buffer(b, ir_operand(store, IR_IN(intra, store, buffer)));
  const char *row = c_row_at(b, p, ir_operand(store, IR_IN(intra, store, cursor)));
  const char *name = c_names_add(&b->names, fallback);
  c_writer_line(b->w, "%s *restrict %s = %s;", c_buffer_type(p->buffer), name, row);
  if (is_zeroed) c_body_emit_each(b, "j", elements, name, "= 0");
  return (c_target){.base = name, .home = p->buffer, .is_float = c_buffer_is_float(p->buffer)};
}

c_target c_place_declare(c_body *b, MlirValue value, const char *fallback, c_use use) {
  enum { LOCAL = 256 }; /* local arrays up to this size may stay in registers */
  ir_type type = ir_type_of(value);
  int64_t elements = ir_type_elements(type);
  MlirOperation definition = ir_defining_op(value);
  const char *given = ir_location_name(mlirOperationGetLocation(definition));
  if (given && *given) fallback = given;
  if (!type.rank) {
    const char *name = c_names_add(&b->names, fallback);
    c_writer_line(b->w, use == C_USE_summed ? "%s %s = 0;" : "%s %s;", c_body_element(type), name);
    return (c_target){.base = name};
  }
  MlirOperation store = find_store(value, definition);
  if ((elements > LOCAL || use == C_USE_written) && !mlirOperationIsNull(store)) {
    c_parameter *p = c_parameter_buffer(b, ir_operand(store, IR_IN(intra, store, buffer)));
    bool same_type =
        p->buffer->type.rank && !p->buffer->is_bf16 && (!b->model->options->is_f64 || !c_buffer_is_float(p->buffer));
    if (same_type && !c_parameter_is_shared(b, p->buffer))
      return place_in_row(b, store, fallback, elements, use == C_USE_summed);
  }
  const char *name = c_names_add(&b->names, fallback);
  declare_array(b, c_body_element(type), name, elements, use == C_USE_summed);
  return (c_target){.base = name};
}

const char *c_place_in_memory(c_body *b, MlirValue value) {
  c_value *v = c_body_find(b, value);
  if (v->form == C_FORM_memory && !v->is_bf16) return v->text;
  c_target target;
  if (v->is_bf16) {
    target = (c_target){.base = c_names_add(&b->names, arena_printf(b->model->arena, "%s_wide", v->text))};
    c_place_declare_copy(b, target.base, ir_type_elements(v->type));
    c_nest_store(b, value, target);
  } else if (mlirOperationIsNull(ir_defining_op(value)) || !v->type.rank) { /* a scalar seen as f32[1] */
    target = (c_target){.base = c_names_add(&b->names, "v")};
    c_writer_line(b->w, "const %s %s[1] = {%s};", c_body_element(v->type), target.base, v->text);
  } else {
    target = c_place_declare(b, value, "v", C_USE_written);
    c_nest_store(b, value, target);
  }
  return c_target_define(b, value, target)->text;
}
