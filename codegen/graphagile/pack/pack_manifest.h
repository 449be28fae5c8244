/* What an image says of itself. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_MANIFEST_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_MANIFEST_H

#include "codegen/device/program_manifest.h"
#include "codegen/graphagile/plan/plan.h"

/* Fills in what a plan with addresses knows of its program, and the permutations that it names:
 * section .gnnc.rows. Both are in the plan's arena. False with p->error. */
bool graphagile_pack_manifest(graphagile_plan *p, program_manifest *out, image *im);

#endif
