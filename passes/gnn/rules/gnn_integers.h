/* Where integers come from. Integers are elements of inputs: operations between an input and a lookup
 * only move them. */
#ifndef GNNC_PASSES_GNN_RULES_GNN_INTEGERS_H
#define GNNC_PASSES_GNN_RULES_GNN_INTEGERS_H

#include "dialects/ir.h"

/* An element of a function argument, by its number in row-major order. */
typedef struct gnn_origin {
  MlirValue argument;
  int64_t element; /* -1: it is none */
} gnn_origin;

/* Follows one element of a value back to the argument that it is an element of. */
gnn_origin gnn_find_origin(MlirValue value, int64_t element);
/* The operand that an operation moves: between rows (gather, slice, part) or within a row (view,
 * columns, reshape, transpose); null for other operations. */
MlirValue gnn_moved_between_rows(MlirOperation op);
MlirValue gnn_moved_within_row(MlirOperation op);

#endif
