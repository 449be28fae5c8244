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

enum { PLAN_MAX_CHAIN = 4, PLAN_MAX_LINKS = 2 * PLAN_MAX_CHAIN + 1, PLAN_MAX_FORM = PLAN_MAX_CHAIN + 2 };

/* Vector-Inner layers in a chain, the Aggregate that reads their values first and, where that is the denominator of a softmax, the one that it divides. */
typedef struct plan_fusion {
  size_t chain[PLAN_MAX_CHAIN]; /* layers of the plan */
  int num_chain;
  size_t first, last; /* last == first where there is none */
  plan_layer begin;   /* chain and first in one */
  plan_layer sum;     /* first and last in one */
  plan_layer all;     /* the three in one */
  int guard;          /* the fusion whose sums the chain alone reads; -1: none */
  plan_layer whole;   /* the guard and all of this in one, for shards of one piece */
} plan_fusion;

/* How layers chain, first and last are done. */
typedef enum plan_form { PLAN_APART, PLAN_BEGIN, PLAN_SUM, PLAN_ALL, PLAN_FORMS, PLAN_WHOLE = PLAN_FORMS } plan_form;

typedef VEC(plan_fusion) plan_fusions;

/* All that may be done in one; the plan stays as it is. */
plan_fusions plan_find_fusions(plan *p);

/* The layers of a form but PLAN_WHOLE: how many; 0 where the fusion has no such form. */
int plan_form_layers(const plan *p, const plan_fusion *f, plan_form form, const plan_layer *out[PLAN_MAX_FORM]);

/* Does each fusion in the form that is said for it; PLAN_WHOLE is said for both a fusion and its guard. */
void plan_apply_fusions(plan *p, const plan_fusions *fusions, const plan_form *forms);

/* Fibers that the links of an Aggregate and its division need besides those of the result: of sources, and of destinations next to the sums. */
int64_t plan_source_fibers(const plan_layer *layer);
int64_t plan_destination_fibers(const plan_layer *layer);

/* Those of destinations that come from memory. */
int64_t plan_loaded_fibers(const plan_layer *layer);

/* The tensors of those destinations, in their order behind the sums and the column of summed values. A link makes the first, or all are loaded. Returns how many. */
int plan_destinations(const plan_layer *layer, const plan_tensor *out[PLAN_MAX_LINKS]);

/* Whether a link makes rows that another reads: these, or any. */
bool plan_makes(const plan_layer *layer, const plan_tensor *rows);
bool plan_is_whole(const plan_layer *layer);

/* Whether a shard of any partition with that many source rows is at most one piece. */
bool plan_has_one_piece(const plan *p, const plan_layer *layer, partition_shape shape);

/* Heads of the values that an Aggregate reads; 0 where it reads none. */
int64_t plan_heads(const plan_layer *layer);

/* Whether an Aggregate loads rows of sources at all. */
bool plan_has_sources(const plan_layer *layer);

#endif
