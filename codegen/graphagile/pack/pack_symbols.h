/* Names of what lies in the device's memory. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_SYMBOLS_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_SYMBOLS_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/image/image.h"

/* Symbols for the layers, constants, edge lists, descriptor tables and tensors of a plan with
 * addresses; in its arena. */
void graphagile_pack_symbols(graphagile_plan *p, image *out);

#endif
