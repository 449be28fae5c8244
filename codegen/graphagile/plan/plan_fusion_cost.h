/* What is to be done over the edge lists of one shape: layers, of which some may be done in one (plan_attention.h), and what that costs. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_SHAPE_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_SHAPE_H

#include "codegen/graphagile/cost/cost.h"
#include "codegen/graphagile/plan/plan_attention.h"

/* The layers of each form of a fusion; a layer that is in none is a form alone. */
typedef struct shape_forms {
  int layers[PLAN_FORMS][PLAN_MAX_FORM], counts[PLAN_FORMS];
} shape_forms;

/* What the layers over a shape are made of. */
typedef struct shape_unit {
  shape_forms own, guard;
  int whole;     /* the layer in which both are; -1: none */
  double number; /* of such units */
} shape_unit;

/* Distinct layers, of which the others cost the same. */
typedef struct shape_work {
  VEC(const plan_layer *) layers;
  VEC(shape_unit) units;
  double *cycles; /* [layers], over `shape`; negative: not known yet */
  partition_shape shape;
  const plan *plan;
  const cost_machine *machine;
} shape_work;

/* The cheapest tile of a layer over a shape, with its cycles; infinite where nothing fits. */
plan_tile plan_choose_fibers(const plan *p, const cost_machine *m, const plan_layer *l, partition_shape shape,
                             double *cycles);

/* All layers over a shape that is not chosen yet, each fusion in all its forms. */
shape_work plan_collect_work(const plan *p, const cost_machine *m, const plan_fusions *fusions,
                             const plan_shape *shape);

/* Cycles of all of them, each fusion in its cheapest form; infinite once they are not below the limit. */
double plan_cost_work(shape_work *w, partition_shape shape, double limit);

/* Whether one of the fusions over a shape has so many edges that it takes longer to write than to search for the best. */
bool plan_has_long_fusions(const plan *p, const plan_fusions *fusions, const plan_shape *shape);

/* The cheapest form of each fusion over the shapes that are chosen. */
plan_form *plan_choose_forms(const plan *p, const cost_machine *m, const plan_fusions *fusions);

#endif
