/* Limits on tiles that hold for several kinds of layers, and the sizes that the search tries. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_LIMITS_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_LIMITS_H

#include "codegen/graphagile/plan/plan.h"

/* The numbers of equal parts per PE into which the search cuts rows. */
enum { GRAPHAGILE_TILE_CUTS = 16 };
extern const int64_t graphagile_tile_cuts[GRAPHAGILE_TILE_CUTS];

/* The most fibers of a block with so many rows that constant rows in a Weight Buffer, the fields
 * of strides, and LOOP bodies allow. */
int64_t graphagile_tile_most_fibers(const graphagile_plan *p, const graphagile_plan_layer *l, int64_t rows);

#endif
