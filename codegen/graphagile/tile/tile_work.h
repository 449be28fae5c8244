/* What is to be done over the edge lists of one shape: layers, of which some may be done in one
 * (fuse_attention.h), and what that costs. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_WORK_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_WORK_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/fuse/fuse_attention.h"

/* The layers of each form of a fusion; a layer that is in none is a form alone. */
typedef struct graphagile_tile_forms {
  int layers[GRAPHAGILE_FUSE_FORMS][GRAPHAGILE_FUSE_MAX_FORM], counts[GRAPHAGILE_FUSE_FORMS];
} graphagile_tile_forms;

/* What the layers over a shape are made of. */
typedef struct graphagile_tile_unit {
  graphagile_tile_forms own, guard;
  int whole;     /* the layer in which both are; -1: none */
  double number; /* of such units */
} graphagile_tile_unit;

/* Distinct layers, of which the others cost the same. */
typedef struct graphagile_tile_work {
  VEC(const graphagile_plan_layer *) layers;
  VEC(graphagile_tile_unit) units;
  double *cycles; /* [layers], over `shape`; negative: not known yet */
  graphagile_partition_shape shape;
  const graphagile_plan *plan;
  const graphagile_cost_machine *machine;
} graphagile_tile_work;

/* All layers over a shape that is not chosen yet, each fusion in all its forms. */
graphagile_tile_work graphagile_tile_collect_work(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                  const graphagile_fuse_groups *fusions,
                                                  const graphagile_plan_shape *shape);

/* Cycles of all of them, each fusion in its cheapest form; infinite once they are not below the
 * limit. */
double graphagile_tile_cost_work(graphagile_tile_work *w, graphagile_partition_shape shape, double limit);

/* Whether one of the fusions over a shape has so many edges that it takes longer to write than to
 * search for the best. */
bool graphagile_tile_has_long_groups(const graphagile_plan *p, const graphagile_fuse_groups *fusions,
                                     const graphagile_plan_shape *shape);

/* The cheapest form of each fusion over the shapes that are chosen. */
graphagile_fuse_form *graphagile_tile_choose_forms(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const graphagile_fuse_groups *fusions);

#endif
