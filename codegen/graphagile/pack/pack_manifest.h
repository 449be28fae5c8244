/* The manifest of an image: what the program says of itself. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_MANIFEST_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_MANIFEST_H

#include "codegen/device/program_manifest.h"
#include "codegen/graphagile/plan/plan.h"

/* Fills in the manifest of a plan with addresses, and section .gnnc.rows with the permutations that
 * the manifest refers to. Both are in the plan's arena. Returns false with p->error. */
bool graphagile_pack_manifest(graphagile_plan *p, program_manifest *out, image *im);

#endif
