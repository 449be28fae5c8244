/* What is to be done over the edge lists of one shape: layers, of which some may be done in one (plan_attention.h), and what that costs. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_SHAPE_H

#include "codegen/graphagile/cost/cost.h"
#include "codegen/graphagile/plan/plan_attention.h"

/* The layers of each form of a fusion; a layer that is in none is a form alone. */
typedef struct graphagile_shape_forms {
  int layers[GRAPHAGILE_PLAN_FORMS][GRAPHAGILE_PLAN_MAX_FORM], counts[GRAPHAGILE_PLAN_FORMS];
} graphagile_shape_forms;

/* What the layers over a shape are made of. */
typedef struct graphagile_shape_unit {
  graphagile_shape_forms own, guard;
  int whole;     /* the layer in which both are; -1: none */
  double number; /* of such units */
} graphagile_shape_unit;

/* Distinct layers, of which the others cost the same. */
typedef struct graphagile_shape_work {
  VEC(const graphagile_plan_layer *) layers;
  VEC(graphagile_shape_unit) units;
  double *cycles; /* [layers], over `shape`; negative: not known yet */
  graphagile_partition_shape shape;
  const graphagile_plan *plan;
  const graphagile_cost_machine *machine;
} graphagile_shape_work;

/* The cheapest tile of a layer over a shape, with its cycles; infinite where nothing fits. */
graphagile_plan_tile graphagile_plan_choose_fibers(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const graphagile_plan_layer *l, graphagile_partition_shape shape,
                                                   double *cycles);

/* All layers over a shape that is not chosen yet, each fusion in all its forms. */
graphagile_shape_work graphagile_plan_collect_work(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const plan_fusions *fusions, const graphagile_plan_shape *shape);

/* Cycles of all of them, each fusion in its cheapest form; infinite once they are not below the limit. */
double graphagile_plan_cost_work(graphagile_shape_work *w, graphagile_partition_shape shape, double limit);

/* Whether one of the fusions over a shape has so many edges that it takes longer to write than to search for the best. */
bool graphagile_plan_has_long_fusions(const graphagile_plan *p, const plan_fusions *fusions,
                                      const graphagile_plan_shape *shape);

/* The cheapest form of each fusion over the shapes that are chosen. */
graphagile_plan_form *graphagile_plan_choose_forms(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const plan_fusions *fusions);

#endif
