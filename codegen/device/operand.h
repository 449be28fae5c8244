/* Questions about operands of the device level that every machine's compiler asks. */
#ifndef GNNC_CODEGEN_DEVICE_OPERAND_H
#define GNNC_CODEGEN_DEVICE_OPERAND_H

#include "dialects/ir.h"

/* Whether a selection of columns took part in a matrix: its zeros say that columns take no part, so
 * that 0 times infinity is 0 there. The passes make block-diagonal matrices of a few operations. */
bool operand_has_selection(MlirValue matrix);

/* The device.edges operation of an edge list, or of values of edges; null for other values. */
MlirOperation operand_edges(MlirValue value);

#endif
