/* Bodies of kernels, operation by operation: see body.h. */
#include "codegen/c/body.h"

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
  if (!b->failed) c_body_fail(b, b->kernel, DIAG_internal, "a value is used before it is computed");
  return c_body_define(b, value, ir_type_of(value).rank ? C_FORM_memory : C_FORM_scalar, "unknown");
}

c_value *c_body_define(c_body *b, MlirValue value, c_form form, const char *written) {
  c_value *v = arena_alloc(b->model->arena, sizeof *v);
  *v = (c_value){.value = value, .form = form, .text = written, .set = -1, .type = ir_type_of(value)};
  v->depth = b->w->depth;
  VEC_PUSH(b->model->arena, &b->values, v);
  return v;
}

c_value *c_body_define_target(c_body *b, MlirValue value, c_target target) {
  c_value *v = c_body_define(b, value, ir_type_of(value).rank ? C_FORM_memory : C_FORM_scalar, target.base);
  v->home = target.home;
  v->is_float = target.is_float;
  return v;
}

const char *c_body_name(c_body *b, MlirValue value, const char *fallback) {
  const char *name = NULL;
  MlirOperation op = ir_defining_op(value);
  if (!mlirOperationIsNull(op)) name = ir_location_name(mlirOperationGetLocation(op));
  return c_names_add(&b->names, name && *name ? name : fallback);
}

bool c_body_is_pending(c_body *b, MlirValue value) {
  return c_body_find(b, value)->form == C_FORM_pending;
}

const char *c_body_widen(const c_body *b, bool is_float) {
  return is_float && b->model->options->is_f64 ? "(real)" : "";
}

static bool in_same_block(MlirOperation a, MlirOperation b) {
  return mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b));
}

/* The store of a value, or of a reshape of it, in its own block; null if none. */
static MlirOperation find_store(MlirValue value, MlirOperation definition) {
  MlirOperation none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!in_same_block(user, definition)) continue;
    if (ir_op_kind(user) == IR_OP(intra, store)) return user;
    if (ir_op_kind(user) != IR_OP(gnn, reshape)) continue;
    MlirOperation found = find_store(ir_result(user), definition);
    if (!mlirOperationIsNull(found)) return found;
  }
  return none;
}

/* ---- places ---- */

static void zero(c_body *b, const char *name, int64_t elements) {
  size_t mark = b->names.count;
  const char *j = c_names_add(&b->names, "j");
  c_writer_line(b->w, "for (int64_t %s = 0; %s < %lld; %s++) %s[%s] = 0;", j, j, (long long)elements, j, name, j);
  c_names_leave(&b->names, mark);
}

void c_body_declare_array(c_body *b, const char *name, int64_t elements, bool is_zeroed) {
  if (elements <= C_STACK_ELEMENTS) {
    c_writer_line(b->w, is_zeroed ? "real %s[%lld] = {0};" : "real %s[%lld];", name, (long long)elements);
    return;
  }
  c_writer_line(b->w, "static _Thread_local real %s[%lld]; /* too long for a stack */", name, (long long)elements);
  if (is_zeroed) zero(b, name, elements);
}

static c_target place_in_row(c_body *b, MlirOperation store, const char *fallback, int64_t elements, bool is_zeroed) {
  c_parameter *p = c_access_buffer(b, ir_operand(store, IR_IN(intra, store, buffer)));
  const char *row = c_access_row(b, p, ir_operand(store, IR_IN(intra, store, cursor)));
  const char *name = c_names_add(&b->names, fallback);
  c_writer_line(b->w, "%s *restrict %s = %s;", c_buffer_type(p->buffer), name, row);
  if (is_zeroed) zero(b, name, elements);
  return (c_target){.base = name, .home = p->buffer, .is_float = c_buffer_is_user(p->buffer)};
}

c_target c_body_place(c_body *b, MlirValue value, const char *fallback, c_use use) {
  enum { LOCAL = 256 }; /* up to here a local array may live in registers */
  ir_type type = ir_type_of(value);
  int64_t elements = ir_type_elements(type);
  MlirOperation definition = ir_defining_op(value);
  const char *given = ir_location_name(mlirOperationGetLocation(definition));
  if (given && *given) fallback = given;
  if (!type.rank) {
    const char *name = c_names_add(&b->names, fallback);
    c_writer_line(b->w, use == C_USE_summed ? "real %s = 0;" : "real %s;", name);
    return (c_target){.base = name};
  }
  MlirOperation store = find_store(value, definition);
  if ((elements > LOCAL || use == C_USE_written) && !mlirOperationIsNull(store)) {
    c_parameter *p = c_access_buffer(b, ir_operand(store, IR_IN(intra, store, buffer)));
    bool same_type = p->buffer->type.rank && (!b->model->options->is_f64 || !c_buffer_is_user(p->buffer));
    if (same_type && !c_access_is_shared(b, p->buffer))
      return place_in_row(b, store, fallback, elements, use == C_USE_summed);
  }
  const char *name = c_names_add(&b->names, fallback);
  c_body_declare_array(b, name, elements, use == C_USE_summed);
  return (c_target){.base = name};
}

const char *c_body_memory(c_body *b, MlirValue value) {
  c_value *v = c_body_find(b, value);
  if (v->form == C_FORM_memory) return v->text;
  c_target target;
  if (mlirOperationIsNull(ir_defining_op(value)) || !v->type.rank) { /* a scalar seen as f32[1] */
    target = (c_target){.base = c_names_add(&b->names, "v")};
    c_writer_line(b->w, "const real %s[1] = {%s};", target.base, v->text);
  } else {
    target = c_body_place(b, value, "v", C_USE_written);
    c_nest_store(b, value, target);
  }
  return c_body_define_target(b, value, target)->text;
}

/* ---- element-wise and structural operations ---- */

/* True where the only user reads each element once, so that the expression may be written there. */
static bool is_pulled(MlirValue value, MlirOperation op) {
  if (!ir_value_has_one_use(value)) return false;
  MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
  if (!in_same_block(user, op)) return false;
  ir_op kind = ir_op_kind(user);
  unsigned rank = ir_type_of(value).rank;
  /* What an operand of lower rank costs is better spent in a loop of its own than between two loops. */
  if (rank && c_scalar_is_elementwise(kind) && ir_type_of(ir_result(user)).rank > rank) return false;
  if (kind == IR_OP(gnn, vector_inner)) {
    unsigned ranks[2] = {ir_type_of(ir_operand(user, 0)).rank, ir_type_of(ir_operand(user, 1)).rank};
    return rank == (ranks[0] > ranks[1] ? ranks[0] : ranks[1]);
  }
  return c_scalar_is_elementwise(kind) || kind == IR_OP(intra, store) || kind == IR_OP(gnn, concat) ||
         kind == IR_OP(gnn, reduce) || kind == IR_OP(gnn, argmax) || !strcmp(ir_op_name(user), "smt.yield");
}

static void emit_scalar(c_body *b, MlirOperation op) {
  MlirValue value = ir_result(op);
  const char *operands[IR_MAX_OPERANDS];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    operands[i] = c_body_find(b, mlirOperationGetOperand(op, i))->text;
  const char *expression = c_scalar_expression(b, op, operands);
  if (!is_pulled(value, op)) {
    c_target target = {.base = c_body_name(b, value, "t")};
    c_target_assign(b, (c_target){.base = arena_printf(b->model->arena, "const real %s", target.base)}, NULL,
                    expression);
    expression = target.base;
  }
  c_body_define(b, value, C_FORM_scalar, expression);
}

/* Leaves the operation to its user, or computes it now. */
static void emit_pending(c_body *b, MlirOperation op, bool may_wait) {
  MlirValue value = ir_result(op);
  c_body_define(b, value, C_FORM_pending, NULL);
  if (!may_wait || !is_pulled(value, op)) c_body_memory(b, value);
}

static void emit_reshape(c_body *b, MlirOperation op) {
  MlirValue value = ir_result(op), x = ir_operand(op, IR_IN(gnn, reshape, x));
  c_value *from = c_body_find(b, x);
  if (from->form == C_FORM_scalar) {
    c_body_define(b, value, C_FORM_scalar, from->text);
    return;
  }
  const char *memory = c_body_memory(b, x);
  from = c_body_find(b, x);
  if (!ir_type_of(value).rank) {
    c_body_define(b, value, C_FORM_scalar,
                  arena_printf(b->model->arena, "%s%s[0]", c_body_widen(b, from->is_float), memory));
    return;
  }
  const c_buffer *home = from->home;
  bool is_float = from->is_float;
  c_value *made = c_body_define(b, value, C_FORM_memory, memory);
  made->home = home;
  made->is_float = is_float;
}

static void emit_concat(c_body *b, MlirOperation op) {
  MlirValue value = ir_result(op);
  MlirOperation user = {NULL};
  if (ir_value_has_one_use(value)) user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
  bool may_wait = !mlirOperationIsNull(user) && !c_scalar_is_elementwise(ir_op_kind(user)) &&
                  ir_op_kind(user) != IR_OP(gnn, vector_inner) && ir_op_kind(user) != IR_OP(gnn, reduce) &&
                  ir_op_kind(user) != IR_OP(gnn, argmax);
  emit_pending(b, op, may_wait);
}

static bool emit_payload(c_body *b, MlirOperation op, ir_op kind) {
  if (c_scalar_is_elementwise(kind)) {
    if (ir_type_of(ir_result(op)).rank)
      emit_pending(b, op, true);
    else
      emit_scalar(b, op);
    return true;
  }
  switch (kind) {
  case IR_OP(gnn, constant):
    c_body_define(b, ir_result(op), C_FORM_scalar, c_scalar_literal(b, ir_get_float(op, "value", 0)));
    return true;
  case IR_OP(gnn, reshape): emit_reshape(b, op); return true;
  case IR_OP(gnn, concat): emit_concat(b, op); return true;
  case IR_OP(gnn, transpose):
  case IR_OP(gnn, columns):
  case IR_OP(gnn, outer):
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) c_body_memory(b, mlirOperationGetOperand(op, i));
    emit_pending(b, op, true);
    return true;
  case IR_OP(gnn, linear): c_linear_emit(b, op); return true;
  default: return c_payload_emit(b, op);
  }
}

void c_body_emit_operation(c_body *b, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  if (!strcmp(ir_op_name(op), "smt.yield")) return;
  if (mlirOperationGetNumResults(op) && !ir_value_use_count(ir_result(op))) return;
  switch (kind) {
  case IR_OP(inter, src):
  case IR_OP(inter, dst): c_access_end(b, op); return;
  case IR_OP(inter, degree): c_access_degree(b, op); return;
  case IR_OP(inter, for_incoming):
  case IR_OP(inter, for_outgoing):
  case IR_OP(inter, for_members):
  case IR_OP(intra, nonzeros): c_loops_emit(b, op); return;
  case IR_OP(inter, softmax_incoming): c_softmax_emit(b, op); return;
  case IR_OP(inter, group): c_typed_group(b, op); return;
  case IR_OP(inter, group_size): c_typed_group_size(b, op); return;
  case IR_OP(inter, whole_row): c_typed_whole_row(b, op); return;
  case IR_OP(intra, unite): c_typed_unite(b, op); return;
  case IR_OP(inter, result): c_loops_result(b, op); return;
  case IR_OP(intra, load): c_access_load(b, op); return;
  case IR_OP(intra, load_row): c_access_load_row(b, op); return;
  case IR_OP(intra, dense_row): c_access_dense_row(b, op); return;
  case IR_OP(intra, store): c_access_store(b, op); return;
  default: break;
  }
  if (!emit_payload(b, op, kind))
    c_body_fail(b, op, DIAG_internal, "the C target has no code for '%s' in a kernel", ir_op_name(op));
}

void c_body_emit_block(c_body *b, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op) && !b->failed;
       op = mlirOperationGetNextInBlock(op))
    c_body_emit_operation(b, op);
}
