/* What the passes over the gnn dialect share: finding the operation behind a value, building
 * operations like others, replacing values. A rewrite builds new operations before the one that it
 * replaces, so that operands dominate their uses. */
#ifndef GNNC_PASSES_GNN_RULES_GNN_REWRITE_H
#define GNNC_PASSES_GNN_RULES_GNN_REWRITE_H

#include "passes/manager/pass.h"

/* Whether an operation belongs to the gnn dialect. */
bool gnn_is_graph_level(MlirOperation op);

/* The operation that makes `value`, if it is of this kind; else null, also for block arguments and
 * null values. */
MlirOperation gnn_producer(MlirValue value, ir_op kind);

/* Whether `value` is a gnn.constant; *number is its number. */
bool gnn_constant_get(MlirValue value, double *number);

/* Builders at `b`; null after an error was reported, as for ir_build_value. */
MlirValue gnn_build_constant(const ir_builder *b, double number);
MlirValue gnn_build_unary(const ir_builder *b, ir_op op, MlirValue x);
MlirValue gnn_build_binary(const ir_builder *b, ir_op op, MlirValue x, MlirValue y);
MlirValue gnn_build_activation(const ir_builder *b, MlirValue x, const char *function);
/* Applies the function of `layer`, with its numbers, to `x`; returns x where the layer has none. */
MlirValue gnn_build_activation_of(const ir_builder *b, MlirOperation layer, MlirValue x);
MlirValue gnn_build_gather(const ir_builder *b, MlirValue graph, MlirValue value, const char *end);

/* An operation of the same kind and attributes with other operands (by declared position). The list
 * `changes` ends with {NULL, {NULL}}; an attribute with a value is set, one with a null value is
 * left out. NULL: no changes. */
MlirValue gnn_build_like(const ir_builder *b, MlirOperation like, const MlirValue *operands, const ir_attr *changes);

/* Replaces every use of the result of `op` by `value`, and erases op and the operations that are
 * unused then. Counts one change. */
void gnn_replace(pass_context *p, MlirOperation op, MlirValue value);

/* Erases an unused pure operation and the operations that only it used; does nothing otherwise. */
void gnn_erase_dead(pass_context *p, MlirOperation op);

/* Sets the type of a function to the types of its block arguments and returned values. */
void gnn_func_update_type(pass_context *p, MlirOperation func);

/* Whether an operation is an aggregate, collapse or pool by sum or mean, which commutes with linear
 * functions. */
bool gnn_is_sum_or_mean(MlirOperation op);

/* The activation of an operation; NULL: none. */
const char *gnn_activation_of(MlirOperation op);

#endif
