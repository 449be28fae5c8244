/* Steps from a plan with instructions to an image. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COMPILE_PARTS_H
#define GNNC_CODEGEN_GRAPHAGILE_COMPILE_PARTS_H

#include "codegen/graphagile/plan/plan.h"

/* The .weights section in the device's layout: matrices, biases, constant rows and values, inputs from the weights file. NULL with p->error. */
const unsigned char *graphagile_compile_weights(graphagile_plan *p);

/* The .edges section, in memory of the host; NULL with p->error. */
const unsigned char *graphagile_compile_edges(graphagile_plan *p);

/* The manifest: fills .gnnc.program and .gnnc.rows. */
bool graphagile_manifest_write(graphagile_plan *p, image *out);

#endif
