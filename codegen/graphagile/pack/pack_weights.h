/* Packs constants for the device. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_WEIGHTS_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_WEIGHTS_H

#include "codegen/graphagile/plan/plan.h"

/* Returns the .weights section in the layout of the device: matrices, biases, constant rows and
 * values, and inputs from the weights file. NULL with p->error. */
const unsigned char *graphagile_pack_weights(graphagile_plan *p);

#endif
