/* Symbols of an image: names for what lies in the device's memory. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_SYMBOLS_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_SYMBOLS_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/image/image.h"

/* Makes symbols for the layers, constants, edge lists, descriptor tables and tensors of a plan with
 * addresses; they are in the plan's arena. */
void graphagile_pack_symbols(graphagile_plan *p, image *out);

#endif
