/* What an image says of itself. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_MANIFEST_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_MANIFEST_H

#include "codegen/graphagile/plan/plan.h"
#include "isa/image.h"

/* The manifest: fills .gnnc.program and .gnnc.rows. */
bool graphagile_pack_manifest(graphagile_plan *p, image *out);

#endif
