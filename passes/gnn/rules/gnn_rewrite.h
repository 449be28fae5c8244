/* What the passes over the gnn dialect share: reading producers, building operations like others,
 * replacing values. A rewrite builds before the operation it replaces, so operands always
 * dominate. */
#ifndef GNNC_PASSES_GNN_RULES_GNN_REWRITE_H
#define GNNC_PASSES_GNN_RULES_GNN_REWRITE_H

#include "passes/manager/pass.h"

/* True for operations of the gnn dialect. */
bool gnn_is_graph_level(MlirOperation op);

/* The operation that makes `value` if it is of this kind, else null (block arguments, null values
 * too). */
MlirOperation gnn_producer(MlirValue value, ir_op kind);

/* True when `value` is a gnn.constant; its number. */
bool gnn_constant_get(MlirValue value, double *number);

/* Builders at `b`; null after an error was reported, as ir_build_value. */
MlirValue gnn_build_constant(const ir_builder *b, double number);
MlirValue gnn_build_unary(const ir_builder *b, ir_op op, MlirValue x);
MlirValue gnn_build_binary(const ir_builder *b, ir_op op, MlirValue x, MlirValue y);
MlirValue gnn_build_activation(const ir_builder *b, MlirValue x, const char *function);
/* The function that `layer` applies, with its numbers, to `x`; x itself where it applies none. */
MlirValue gnn_build_activation_of(const ir_builder *b, MlirOperation layer, MlirValue x);
MlirValue gnn_build_gather(const ir_builder *b, MlirValue graph, MlirValue value, const char *end);

/* An operation of the same kind and attributes on other operands (by declared position). `changes`
 * ends with {NULL, {NULL}}: an attribute with a value is set, one with a null value is left out;
 * NULL = no changes. */
MlirValue gnn_build_like(const ir_builder *b, MlirOperation like, const MlirValue *operands, const ir_attr *changes);

/* Every use of the result of `op` becomes `value`; op, and what nobody needs then, is erased.
 * Counts one change. */
void gnn_replace(pass_context *p, MlirOperation op, MlirValue value);

/* Erases an unused pure operation and the producers that only it used; leaves anything else
 * alone. */
void gnn_erase_dead(pass_context *p, MlirOperation op);

/* Makes the type of a function that of its block arguments and returned values. */
void gnn_func_update_type(pass_context *p, MlirOperation func);

/* True for an aggregate, collapse or pool that adds or averages, and so commutes with linear
 * functions. */
bool gnn_is_sum_or_mean(MlirOperation op);

/* The activation an operation carries, NULL if none. */
const char *gnn_activation_of(MlirOperation op);

#endif
