/* Targets: see target.h. */
#include "codegen/c/body/target.h"

#include "codegen/c/body/scalar.h"

#include <string.h>

c_assign c_target_reduction(const char *function) {
  if (!strcmp(function, "max")) return C_ASSIGN_max;
  if (!strcmp(function, "prod")) return C_ASSIGN_multiply;
  return !strcmp(function, "min") ? C_ASSIGN_min : C_ASSIGN_add;
}

const char *c_target_start(c_assign mode) {
  if (mode == C_ASSIGN_multiply) return "1";
  return mode == C_ASSIGN_max ? "-INFINITY" : mode == C_ASSIGN_min ? "INFINITY" : "0";
}

c_value *c_target_define(c_body *b, MlirValue value, c_target target) {
  c_value *v = c_body_define(b, value, ir_type_of(value).rank ? C_FORM_memory : C_FORM_scalar, target.base);
  v->home = target.home;
  v->is_float = target.is_float;
  return v;
}

void c_target_assign(c_body *b, c_target target, const char *at, const char *expression) {
  if (target.is_bf16) {
    c_writer_line(b->w, "%s[%s] = bf16_round(%s);", target.base, at ? at : "0", c_scalar_bare(b, expression));
    return;
  }
  const char *left = at ? arena_printf(b->model->arena, "%s[%s]", target.base, at) : target.base;
  bool cast = target.is_float && b->model->options->is_f64;
  const char *before = cast ? "(float)" : "";
  if (!cast) expression = c_scalar_bare(b, expression);
  switch (target.mode) {
  case C_ASSIGN_set: c_writer_line(b->w, cast ? "%s = %s(%s);" : "%s = %s%s;", left, before, expression); return;
  case C_ASSIGN_add: c_writer_line(b->w, "%s += %s;", left, expression); return;
  case C_ASSIGN_multiply: c_writer_line(b->w, "%s *= %s;", left, expression); return;
  case C_ASSIGN_max: c_writer_line(b->w, "%s = real_max(%s, %s);", left, left, expression); return;
  case C_ASSIGN_min: c_writer_line(b->w, "%s = real_min(%s, %s);", left, left, expression); return;
  }
}
