/* Bounds of tiles that hold for several kinds of layers, and the sizes that are tried. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_LIMITS_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_LIMITS_H

#include "codegen/graphagile/plan/plan.h"

/* Into how many equal parts for each PE rows are cut, to try. */
enum { GRAPHAGILE_TILE_CUTS = 16 };
extern const int64_t graphagile_tile_cuts[GRAPHAGILE_TILE_CUTS];

/* Fibers that plain rows in a Weight Buffer, strides and LOOP bodies allow at a time, for blocks of
 * so many rows. */
int64_t graphagile_tile_most_fibers(const graphagile_plan *p, const graphagile_plan_layer *l, int64_t rows);

#endif
