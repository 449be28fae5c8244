/* Attention on the piece: layers that compute values of edges become links of the Aggregate that
 * reads these values. Their SDDMMs then leave the values in the Edge Buffer, right before the
 * SPDMM, and the values need not cross DDR. The paper executes a Vector-Inner layer and an
 * Aggregate layer for this (GraphAGILE, Algorithm 6 and 7).
 *
 *   a = sddmm s, d; m = spdmm {max} a
 *   ->  m = spdmm {max} over pieces { sddmm s, d }, which stores a where others read it
 *
 *   e = sddmm m, a; t = spdmm e; y = spdmm h, e; z = vadd {div} y, t
 *   ->  z = spdmm over pieces { load a; sddmm m; sum of e; sum of e * h }, divided in the end
 *
 * The first fusion is the guard of the second: it makes the maximum of each row that keeps the
 * softmax from overflow. Where the edges of a shard are one piece, the guard's maximum can be one
 * more link before the others; both fusions are then one layer.
 *
 * A block of the fused layer loads a piece once for all links.
 * A fusion that costs more is not done: the sources of a link and its rows of destinations take
 * room in buffers from the sums. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_ATTENTION_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_ATTENTION_H

#include "codegen/graphagile/plan/plan.h"

enum {
  GRAPHAGILE_FUSE_MAX_CHAIN =
      (GRAPHAGILE_PLAN_MAX_LINKS - 1) / 2, /* of a fusion and of its guard, with the guard's own */
  GRAPHAGILE_FUSE_MAX_FORM = GRAPHAGILE_FUSE_MAX_CHAIN + 2
};

/* A fusion: Vector-Inner layers in a chain, the Aggregate that reads their values first, and, where
 * that is the denominator of a softmax, the Aggregate that it divides. Layers are given by their
 * index in the plan. */
typedef struct graphagile_fuse_group {
  size_t chain[GRAPHAGILE_FUSE_MAX_CHAIN]; /* in their order */
  int num_chain;
  size_t first, last;          /* equal where nothing is divided */
  graphagile_plan_layer begin; /* `chain` and `first` as one layer */
  graphagile_plan_layer sum;   /* `first` and `last` as one layer */
  graphagile_plan_layer all;   /* `chain`, `first` and `last` as one layer */
  int guard;                   /* the fusion whose result only the chain reads; -1: none */
  graphagile_plan_layer whole; /* the guard and all layers of this one as one layer, for shards of one piece */
} graphagile_fuse_group;

/* How the layers of a fusion are executed: APART as layers of their own; BEGIN, SUM and ALL with
 * the member of that name; WHOLE together with the guard. */
typedef enum graphagile_fuse_form {
  GRAPHAGILE_FUSE_APART,
  GRAPHAGILE_FUSE_BEGIN,
  GRAPHAGILE_FUSE_SUM,
  GRAPHAGILE_FUSE_ALL,
  GRAPHAGILE_FUSE_FORMS,
  GRAPHAGILE_FUSE_WHOLE = GRAPHAGILE_FUSE_FORMS
} graphagile_fuse_form;

typedef VEC(graphagile_fuse_group) graphagile_fuse_groups;

/* Finds all possible fusions; does not change the plan. The result is in the plan's arena. */
graphagile_fuse_groups graphagile_fuse_find(graphagile_plan *p);

/* Lists the layers of a form other than GRAPHAGILE_FUSE_WHOLE; returns how many, 0 where the fusion
 * has no such form. */
int graphagile_fuse_layers_of(const graphagile_plan *p, const graphagile_fuse_group *f, graphagile_fuse_form form,
                              const graphagile_plan_layer *out[GRAPHAGILE_FUSE_MAX_FORM]);

/* Changes the plan so that each fusion has its form in `forms`. A fusion has GRAPHAGILE_FUSE_WHOLE
 * exactly when its guard has it too. */
void graphagile_fuse_apply(graphagile_plan *p, const graphagile_fuse_groups *fusions,
                           const graphagile_fuse_form *forms);

#endif
