/* Inner loops and their results. */
#ifndef GNNC_CODEGEN_C_OPERATION_LOOP_H
#define GNNC_CODEGEN_C_OPERATION_LOOP_H

#include "codegen/c/body/body.h"

/* inter.for_incoming, inter.for_outgoing, inter.for_members, intra.nonzeros. */
void c_loop_emit(c_body *b, MlirOperation op);
/* inter.result. */
void c_loop_emit_result(c_body *b, MlirOperation op);
/* The inter.result operation of one result of a loop; null if that result is not used. */
MlirOperation c_loop_find_result(MlirOperation loop, size_t index);

#endif
