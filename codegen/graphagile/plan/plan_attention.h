/* Attention on the piece: values of edges are made in the Edge Buffer right before the Aggregate that reads them.
 *
 *   a = sddmm s, d; m = spdmm {max} a                              becomes   m = spdmm {max} over pieces { sddmm s, d }, which stores a where others read it
 *   e = sddmm m, a; t = spdmm e; y = spdmm h, e; z = vadd {div} y, t   becomes   z = spdmm over pieces { load a; sddmm m; sum of e; sum of e * h }, divided in the end
 *
 * Where a shard's edges are one piece the maximum is one more step, which makes rows that the next link reads: both lines become one layer.
 *
 * One block then loads a piece once for all of them. What does not pay stays apart: the sources of a link and its rows of destinations take room from the sums. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_ATTENTION_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_ATTENTION_H

#include "codegen/graphagile/plan/plan.h"

enum {
  GRAPHAGILE_PLAN_MAX_CHAIN = 4,
  GRAPHAGILE_PLAN_MAX_LINKS = 2 * GRAPHAGILE_PLAN_MAX_CHAIN + 1,
  GRAPHAGILE_PLAN_MAX_FORM = GRAPHAGILE_PLAN_MAX_CHAIN + 2
};

/* Vector-Inner layers in a chain, the Aggregate that reads their values first and, where that is the denominator of a softmax, the one that it divides. */
typedef struct graphagile_plan_fusion {
  size_t chain[GRAPHAGILE_PLAN_MAX_CHAIN]; /* layers of the plan */
  int num_chain;
  size_t first, last;          /* last == first where there is none */
  graphagile_plan_layer begin; /* chain and first in one */
  graphagile_plan_layer sum;   /* first and last in one */
  graphagile_plan_layer all;   /* the three in one */
  int guard;                   /* the fusion whose sums the chain alone reads; -1: none */
  graphagile_plan_layer whole; /* the guard and all of this in one, for shards of one piece */
} graphagile_plan_fusion;

/* How layers chain, first and last are done. */
typedef enum graphagile_plan_form {
  GRAPHAGILE_PLAN_APART,
  GRAPHAGILE_PLAN_BEGIN,
  GRAPHAGILE_PLAN_SUM,
  GRAPHAGILE_PLAN_ALL,
  GRAPHAGILE_PLAN_FORMS,
  GRAPHAGILE_PLAN_WHOLE = GRAPHAGILE_PLAN_FORMS
} graphagile_plan_form;

typedef VEC(graphagile_plan_fusion) plan_fusions;

/* All that may be done in one; the plan stays as it is. */
plan_fusions graphagile_plan_find_fusions(graphagile_plan *p);

/* The layers of a form but GRAPHAGILE_PLAN_WHOLE: how many; 0 where the fusion has no such form. */
int graphagile_plan_form_layers(const graphagile_plan *p, const graphagile_plan_fusion *f, graphagile_plan_form form,
                                const graphagile_plan_layer *out[GRAPHAGILE_PLAN_MAX_FORM]);

/* Does each fusion in the form that is said for it; GRAPHAGILE_PLAN_WHOLE is said for both a fusion and its guard. */
void graphagile_plan_apply_fusions(graphagile_plan *p, const plan_fusions *fusions, const graphagile_plan_form *forms);

/* Fibers that the links of an Aggregate and its division need besides those of the result: of sources, and of destinations next to the sums. */
int64_t graphagile_plan_source_fibers(const graphagile_plan_layer *layer);
int64_t graphagile_plan_destination_fibers(const graphagile_plan_layer *layer);

/* Those of destinations that come from memory. */
int64_t graphagile_plan_loaded_fibers(const graphagile_plan_layer *layer);

/* The tensors of those destinations, in their order behind the sums and the column of summed values. A link makes the first, or all are loaded. Returns how many. */
int graphagile_plan_destinations(const graphagile_plan_layer *layer,
                                 const graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_LINKS]);

/* Whether a link makes rows that another reads: these, or any. */
bool graphagile_plan_makes(const graphagile_plan_layer *layer, const graphagile_plan_tensor *rows);
bool graphagile_plan_is_whole(const graphagile_plan_layer *layer);

/* Whether a shard of any partition with that many source rows is at most one piece. */
bool graphagile_plan_has_one_piece(const graphagile_plan *p, const graphagile_plan_layer *layer,
                                   graphagile_partition_shape shape);

/* Heads of the values that an Aggregate reads; 0 where it reads none. */
int64_t graphagile_plan_heads(const graphagile_plan_layer *layer);

/* Whether an Aggregate loads rows of sources at all. */
bool graphagile_plan_has_sources(const graphagile_plan_layer *layer);

#endif
