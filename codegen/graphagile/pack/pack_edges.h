/* Edges and their descriptors as bytes. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_EDGES_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_EDGES_H

#include "codegen/graphagile/plan/plan.h"

/* Returns the .edges section, which the host owns. */
const unsigned char *graphagile_pack_edges(graphagile_plan *p);

/* Returns the .desc section, in the plan's arena. */
const unsigned char *graphagile_pack_descriptors(graphagile_plan *p);

#endif
