/* Parameters of a kernel: see parameter.h. */
#include "codegen/c/body/parameter.h"

void c_parameter_declare_buffer(c_body *b, MlirValue value, bool is_written) {
  const c_buffer *buffer = c_model_buffer(b->phase, value);
  if (!buffer) {
    c_body_fail(b, b->kernel->op, DIAG_internal, "a buffer is declared after the kernels");
    return;
  }
  for (size_t i = 0; i < b->parameters.count; i++) {
    if (b->parameters.items[i].buffer != buffer) continue;
    b->parameters.items[i].is_written |= is_written;
    return;
  }
  c_parameter p = {.buffer = buffer, .set = -1, .name = c_names_add(&b->names, buffer->name), .is_written = is_written};
  VEC_PUSH(b->model->arena, &b->parameters, p);
  if (buffer->rows == C_ROWS_edge) c_parameter_declare_set(b, buffer->set);
}

void c_parameter_declare_set(c_body *b, int set) {
  for (size_t i = 0; i < b->parameters.count; i++)
    if (b->parameters.items[i].set == set) return;
  c_parameter p = {.set = set, .name = c_names_add(&b->names, b->model->sets.items[set].id)};
  VEC_PUSH(b->model->arena, &b->parameters, p);
}

void c_parameter_declare_packed(c_body *b, const c_packed *packed, const char *name) {
  c_parameter p = {.packed = packed, .set = -1, .name = c_names_add(&b->names, name)};
  VEC_PUSH(b->model->arena, &b->parameters, p);
}

const char *c_parameter_step(c_body *b) {
  for (size_t i = 0; i < b->parameters.count; i++)
    if (b->parameters.items[i].is_step) return b->parameters.items[i].name;
  c_parameter p = {.set = -1, .is_step = true, .is_used = true, .name = c_names_add(&b->names, "step")};
  VEC_PUSH(b->model->arena, &b->parameters, p);
  return p.name;
}

c_parameter *c_parameter_buffer(c_body *b, MlirValue value) {
  const c_buffer *buffer = c_model_buffer(b->phase, value);
  for (size_t i = 0; i < b->parameters.count; i++) {
    c_parameter *p = &b->parameters.items[i];
    if (!buffer || p->buffer != buffer) continue;
    p->is_used = true;
    return p;
  }
  c_body_fail(b, b->kernel->op, DIAG_internal, "a buffer of this kernel was not declared");
  return &b->parameters.items[0];
}

const char *c_parameter_set(c_body *b, int set) {
  for (size_t i = 0; i < b->parameters.count; i++) {
    c_parameter *p = &b->parameters.items[i];
    if (p->buffer || p->packed || p->is_step || (set >= 0 && p->set != set)) continue;
    p->is_used = true;
    return p->name;
  }
  c_body_fail(b, b->kernel->op, DIAG_internal, "an edge set of this kernel was not declared");
  return "unknown";
}

const char *c_parameter_packed(c_body *b, const c_packed *packed) {
  for (size_t i = 0; i < b->parameters.count; i++) {
    if (b->parameters.items[i].packed != packed) continue;
    b->parameters.items[i].is_used = true;
    return b->parameters.items[i].name;
  }
  return "unknown";
}

bool c_parameter_is_shared(c_body *b, const c_buffer *buffer) {
  bool is_written = false, is_other_written = false, shares = false;
  for (size_t i = 0; i < b->parameters.count; i++) {
    const c_parameter *p = &b->parameters.items[i];
    if (p->buffer == buffer) is_written = p->is_written;
    if (!p->buffer || !c_buffer_shares(p->buffer, buffer)) continue;
    shares = true;
    is_other_written |= p->is_written;
  }
  return shares && (is_written || is_other_written);
}
