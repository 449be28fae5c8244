/* The ranges of inner loops in C. */
#ifndef GNNC_CODEGEN_C_OPERATION_RANGE_H
#define GNNC_CODEGEN_C_OPERATION_RANGE_H

#include "codegen/c/body/body.h"

/* The range of an inner loop: for (variable = begin; variable < end; variable++). */
typedef struct c_range {
  const char *variable, *begin, *end;
  bool is_piece; /* over the nodes of a piece, of which there may be none */
} c_range;

/* The range of an inner loop; the name of its variable is in scope from now on. */
c_range c_range_describe(c_body *b, MlirOperation op);
/* Defines the cursor of the loop's region. */
void c_range_define_cursor(c_body *b, MlirOperation op, const c_range *range);

#endif
