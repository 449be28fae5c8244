/* Attention on the piece: values of edges are made in the Edge Buffer right before the Aggregate
 * that reads them.
 *
 *   a = sddmm s, d; m = spdmm {max} a
 *   ->  m = spdmm {max} over pieces { sddmm s, d }, which stores a where others read it
 *
 *   e = sddmm m, a; t = spdmm e; y = spdmm h, e; z = vadd {div} y, t
 *   ->  z = spdmm over pieces { load a; sddmm m; sum of e; sum of e * h }, divided in the end
 *
 * Where a shard's edges are one piece the maximum is one more step, which makes rows that the next
 * link reads: both become one layer.
 *
 * One block then loads a piece once for all of them. What does not pay stays apart: the sources of
 * a link and its rows of destinations take room from the sums. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_ATTENTION_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_ATTENTION_H

#include "codegen/graphagile/plan/plan.h"

enum {
  GRAPHAGILE_FUSE_MAX_CHAIN =
      (GRAPHAGILE_PLAN_MAX_LINKS - 1) / 2, /* of a fusion and of its guard, with the guard's own */
  GRAPHAGILE_FUSE_MAX_FORM = GRAPHAGILE_FUSE_MAX_CHAIN + 2
};

/* Vector-Inner layers in a chain, the Aggregate that reads their values first and, where that is
 * the denominator of a softmax, the one that it divides. */
typedef struct graphagile_fuse_group {
  size_t chain[GRAPHAGILE_FUSE_MAX_CHAIN]; /* layers of the plan */
  int num_chain;
  size_t first, last;          /* last == first where there is none */
  graphagile_plan_layer begin; /* chain and first in one */
  graphagile_plan_layer sum;   /* first and last in one */
  graphagile_plan_layer all;   /* the three in one */
  int guard;                   /* the fusion whose sums the chain alone reads; -1: none */
  graphagile_plan_layer whole; /* the guard and all of this in one, for shards of one piece */
} graphagile_fuse_group;

/* How layers chain, first and last are done. */
typedef enum graphagile_fuse_form {
  GRAPHAGILE_FUSE_APART,
  GRAPHAGILE_FUSE_BEGIN,
  GRAPHAGILE_FUSE_SUM,
  GRAPHAGILE_FUSE_ALL,
  GRAPHAGILE_FUSE_FORMS,
  GRAPHAGILE_FUSE_WHOLE = GRAPHAGILE_FUSE_FORMS
} graphagile_fuse_form;

typedef VEC(graphagile_fuse_group) graphagile_fuse_groups;

/* All that may be done in one; the plan stays as it is. */
graphagile_fuse_groups graphagile_fuse_find(graphagile_plan *p);

/* The layers of a form but GRAPHAGILE_FUSE_WHOLE: how many; 0 where the fusion has no such form. */
int graphagile_fuse_layers_of(const graphagile_plan *p, const graphagile_fuse_group *f, graphagile_fuse_form form,
                              const graphagile_plan_layer *out[GRAPHAGILE_FUSE_MAX_FORM]);

/* Does each fusion in the form that is said for it; GRAPHAGILE_FUSE_WHOLE is said for both a fusion
 * and its guard. */
void graphagile_fuse_apply(graphagile_plan *p, const graphagile_fuse_groups *fusions,
                           const graphagile_fuse_form *forms);

#endif
