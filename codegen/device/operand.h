/* Properties of operands of the device level that the compilers of all machines need. */
#ifndef GNNC_CODEGEN_DEVICE_OPERAND_H
#define GNNC_CODEGEN_DEVICE_OPERAND_H

#include "dialects/ir.h"

/* Whether a matrix was made from a selection of columns. A zero of such a matrix means that a
 * column takes no part, so that 0 times infinity is 0 there. The passes make block-diagonal
 * matrices from a few operations. */
bool operand_has_selection(MlirValue matrix);

/* Returns the device.edges operation of an edge list, or of values of edges; null for other values. */
MlirOperation operand_edges(MlirValue value);

/* Whether a device.spdmm is a sum over a list with at most one edge per result, of weight 1: it
 * copies rows, and may add others. */
bool operand_is_copy(MlirOperation op);
/* Whether it does nothing else. */
bool operand_is_plain_copy(MlirOperation op);

/* The width of rows. */
static inline int64_t operand_width(MlirValue rows) {
  return ir_type_of(rows).dims[0];
}

#endif
