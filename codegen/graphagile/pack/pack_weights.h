/* Constants as the device reads them. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_WEIGHTS_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_WEIGHTS_H

#include "codegen/graphagile/plan/plan.h"

/* The .weights section in the device's layout: matrices, biases, constant rows and values, inputs
 * from the weights file. NULL with p->error. */
const unsigned char *graphagile_pack_weights(graphagile_plan *p);

#endif
