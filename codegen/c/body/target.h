/* Targets: the memory or variable that receives a tensor, and the statements that write elements
 * there. */
#ifndef GNNC_CODEGEN_C_BODY_TARGET_H
#define GNNC_CODEGEN_C_BODY_TARGET_H

#include "codegen/c/body/body.h"

typedef enum c_assign { C_ASSIGN_set, C_ASSIGN_add, C_ASSIGN_max, C_ASSIGN_min, C_ASSIGN_multiply } c_assign;

/* A place in memory: base[i], or base[row * stride + offset + column] for some columns of wider
 * rows (stride > 0). For a scalar, base is the variable or the element itself. */
typedef struct c_target {
  const char *base;     /* NULL: there is no place, because an error was reported */
  const c_buffer *home; /* the buffer that base is a row of, for the value stored there */
  int64_t stride, offset;
  bool is_float; /* float memory: numbers are cast where `real` is double */
  bool is_bf16;  /* numbers are rounded to bf16; they are set, never added to */
  c_assign mode;
} c_target;

/* Writes "target[at] = expression;", or += and so on as the target's mode says; at is NULL for
 * scalars. */
void c_target_assign(c_body *b, c_target target, const char *at, const char *expression);
/* The assignment with which a reduction ("sum", "mean", "max", "min", "prod") adds each element, and the
 * text of its initial value. */
c_assign c_target_reduction(const char *function);
const char *c_target_start(c_assign mode);
/* Defines a value as the content of the target: its scalar or its memory. */
c_value *c_target_define(c_body *b, MlirValue value, c_target target);

#endif
