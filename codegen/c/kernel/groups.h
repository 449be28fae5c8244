/* Kernels over groups of members: orders, first values, quantiles. */
#ifndef GNNC_CODEGEN_C_KERNEL_GROUPS_H
#define GNNC_CODEGEN_C_KERNEL_GROUPS_H

#include "codegen/c/body/body.h"

/* Sets what the kernel runs over: the nodes, or the graphs of a batch. */
void c_groups_describe(c_body *b);
void c_groups_emit_order(c_body *b);
void c_groups_emit_first(c_body *b);
void c_groups_emit_place(c_body *b);
void c_groups_emit_quantile(c_body *b);

#endif
