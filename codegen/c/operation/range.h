/* What inner loops run over, in C. */
#ifndef GNNC_CODEGEN_C_OPERATION_RANGE_H
#define GNNC_CODEGEN_C_OPERATION_RANGE_H

#include "codegen/c/body/body.h"

/* What an inner loop runs over: for (variable = begin; variable < end; variable++). */
typedef struct c_range {
  const char *variable, *begin, *end;
} c_range;

/* The range of an inner loop (operation); its variable's name is in force from now on. */
c_range c_range_describe(c_body *b, MlirOperation op);
/* Defines the cursor of the loop's region. */
void c_range_define_cursor(c_body *b, MlirOperation op, const c_range *range);

#endif
