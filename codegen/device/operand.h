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

#endif
