/* Targets: where a tensor goes, and the statements that put elements there. */
#ifndef GNNC_CODEGEN_C_BODY_TARGET_H
#define GNNC_CODEGEN_C_BODY_TARGET_H

#include "codegen/c/body/body.h"

typedef enum c_assign { C_ASSIGN_set, C_ASSIGN_add, C_ASSIGN_max, C_ASSIGN_min } c_assign;

/* base[i], or base[row * stride + offset + column] for a part of wider rows (stride > 0). For a
 * scalar base is the variable or element itself. */
typedef struct c_target {
  const char *base;     /* NULL = there is no place, an error was reported */
  const c_buffer *home; /* the buffer that base is a row of, for the value stored there */
  int64_t stride, offset;
  bool is_float; /* float memory: cast where real is double */
  c_assign mode;
} c_target;

/* Writes "target[at] = expression;" as the target's mode says; at NULL for scalars. */
void c_target_assign(c_body *b, c_target target, const char *at, const char *expression);
/* What a reduction ("sum", "mean", "max", "min") does with each element, and what it begins
 * with. */
c_assign c_target_reduction(const char *function);
const char *c_target_start(c_assign mode);
/* Defines a value as what the target holds: its scalar or its memory. */
c_value *c_target_define(c_body *b, MlirValue value, c_target target);

#endif
