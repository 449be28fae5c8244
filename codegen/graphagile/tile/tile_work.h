/* All layers over the edge lists of one partition shape, some of which may be fused
 * (fuse_attention.h), and what they cost. The search for a shape asks for the costs of many
 * shapes. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_WORK_H
#define GNNC_CODEGEN_GRAPHAGILE_TILE_TILE_WORK_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/fuse/fuse_attention.h"
#include "codegen/graphagile/fuse/fuse_product.h"

/* The layers of each form of a fusion, as indices into graphagile_tile_work.layers. A layer that
 * belongs to no fusion has the form GRAPHAGILE_FUSE_APART alone. */
typedef struct graphagile_tile_forms {
  int layers[GRAPHAGILE_FUSE_FORMS][GRAPHAGILE_FUSE_MAX_FORM], counts[GRAPHAGILE_FUSE_FORMS];
} graphagile_tile_forms;

/* A layer or a fusion with its guard: each is done in one form, chosen by cost. */
typedef struct graphagile_tile_unit {
  graphagile_tile_forms own, guard;
  int whole;     /* the layer that does both at once; -1: none */
  int product;   /* the layer that does the one of `own` and the Linear behind it; -1: none */
  double linear; /* cycles of this Linear as a layer of its own; 0 where there is none */
  double number; /* of units that are equal to this one */
} graphagile_tile_unit;

/* distinct layers */
typedef struct graphagile_tile_work {
  VEC(const graphagile_plan_layer *) layers;
  VEC(graphagile_tile_unit) units;
  double *cycles; /* [layers.count], over `shape`; negative: not estimated yet */
  graphagile_partition_shape shape;
  const graphagile_plan *plan;
  const graphagile_cost_machine *machine;
} graphagile_tile_work;

/* Collects all layers over a shape that is not chosen yet, each fusion in all its forms, the others
 * with and without their product. The result is in the plan's arena. */
graphagile_tile_work graphagile_tile_collect_work(graphagile_plan *p, const graphagile_cost_machine *m,
                                                  const graphagile_fuse_groups *fusions,
                                                  const graphagile_fuse_products *products,
                                                  const graphagile_plan_shape *shape);

/* Estimated cycles of all layers over a shape, each fusion in its cheapest form; INFINITY as
 * soon as the sum reaches the limit. */
double graphagile_tile_cost_work(graphagile_tile_work *w, graphagile_partition_shape shape, double limit);

/* Whether a fusion goes over so many edges that writing the partition takes longer than a longer
 * search for the best shape. */
bool graphagile_tile_has_long_groups(const graphagile_plan *p, const graphagile_fuse_groups *fusions,
                                     const graphagile_plan_shape *shape);

/* The cheapest form of each fusion over the chosen shapes, in the order of `fusions`, in the
 * plan's arena. */
graphagile_fuse_form *graphagile_tile_choose_forms(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const graphagile_fuse_groups *fusions);

#endif
