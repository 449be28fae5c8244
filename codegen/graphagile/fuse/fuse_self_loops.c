/* Replaces the addition of a multiple of each row itself to its sum (GIN) by self loops in the edge
 * list, whose weight is the factor. The row is then loaded with its tile of sources.
 *
 *   y = spdmm in, x; then + 1.1 x      ->      y = spdmm (in and loops of weight 1.1), x
 *
 * A row of x is then read once instead of twice: 12 bytes for the loop's record instead of 64 for
 * each fiber. Each factor needs an edge list of its own, so large lists stay as they are. */
#include "codegen/graphagile/fuse/fuse_self_loops.h"

#include "support/number.h"

#include <string.h>

enum { MOST_EDGES = 1 << 18 };

typedef struct loop_weights {
  const program_edge_list *base;
  float loop;
} loop_weights;

static void weigh(const void *user, int64_t begin, int64_t count, float *out) {
  const loop_weights *w = user;
  const program_edge_list *base = w->base;
  int64_t listed = base->edges - begin < count ? number_max(0, base->edges - begin) : count;
  if (listed && base->weights.user)
    base->weights.weigh(base->weights.user, begin, listed, out);
  else
    for (int64_t i = 0; i < listed; i++) out[i] = base->weight ? base->weight[begin + i] : 1.0f;
  for (int64_t i = listed; i < count; i++) out[i] = w->loop;
}

/* Whether records with weights are worth it for a list of packed edges: the bytes that they add,
 * once for each group of fibers, must be less than those of the rows that need not be read
 * again. */
static bool pays(const graphagile_plan *p, const graphagile_plan_spdmm *s) {
  const program_edge_list *list = s->edges->list;
  int64_t room = number_max(1, p->device->feature_rows / number_max(1, list->to_rows));
  const int64_t weighted = (int64_t)graphagile_plan_weighted_bytes(p);
  int64_t longer = list->edges * (weighted - (int64_t)s->edges->record_bytes) + list->to_rows * weighted;
  return s->in->fibers * list->to_rows * graphagile_plan_hidden_bytes(p) >
         number_ceil_div(s->in->fibers, room) * longer;
}

/* Whether the first epilogue of a layer adds a multiple of the rows that it sums up. */
static bool adds_itself(const graphagile_plan *p, const graphagile_plan_layer *l) {
  const graphagile_plan_epilogue *t = &l->epilogues[0];
  const graphagile_plan_spdmm *s = &l->spdmm;
  if (l->kind != GRAPHAGILE_PLAN_spdmm || s->reduce != GRAPHAGILE_REDUCE_sum || s->values || !l->num_epilogues ||
      l->num_functions)
    return false;
  const program_edge_list *list = s->edges->list;
  bool is_square = s->in && s->in->set && l->result->set && !strcmp(s->in->set, l->result->set);
  bool is_small = !list->loops && list->edges + list->to_rows <= MOST_EDGES;
  if (!is_square || !is_small || (s->edges->is_packed && p->constants[t->scale] != 1.0f && !pays(p, s))) return false;
  return t->operation == GRAPHAGILE_VECTOR_add && t->other == s->in && !t->is_bcast;
}

/* The list of `base` with loops of a weight, made on first use. Lists of one base share their
 * shape. */
static graphagile_plan_edge_list *with_loops(graphagile_plan *p, graphagile_plan_edge_list *base, float weight,
                                             graphagile_plan_shape **shape) {
  loop_weights *w = arena_alloc(p->arena, sizeof *w);
  program_edge_list *list = arena_alloc(p->arena, sizeof *list);
  graphagile_plan_edge_list *made = arena_alloc(p->arena, sizeof *made);
  *w = (loop_weights){base->list, weight};
  *list = *base->list;
  list->edges += list->to_rows;
  list->loops = list->to_rows;
  list->every_destination = true;
  if (list->has_weight || weight != 1.0f) {
    list->has_weight = true;
    list->weight = NULL;
    list->weights = (program_weights){weigh, w};
  }
  *made = *base;
  made->list = list;
  made->is_packed = base->is_packed && !list->has_weight;
  made->record_bytes = made->is_packed ? base->record_bytes : graphagile_plan_weighted_bytes(p);
  made->name = arena_printf(p->arena, "%s with loops %zu", base->name, p->edges.count);
  made->wants_positions = false;
  if (!*shape) *shape = arena_alloc(p->arena, sizeof **shape);
  made->shape = *shape;
  VEC_PUSH(p->arena, &p->edges, made);
  return made;
}

static bool is_used(const graphagile_plan *p, const graphagile_plan_edge_list *e) {
  for (size_t i = 0; i < p->layers.count; i++)
    if (graphagile_plan_edges_of(&p->layers.items[i]) == e) return true;
  for (size_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.items[i]->edges == e || p->tensors.items[i]->weight == e) return true;
  return false;
}

static void remove_edges(graphagile_plan *p, const graphagile_plan_edge_list *e) {
  size_t kept = 0;
  for (size_t i = 0; i < p->edges.count; i++)
    if (p->edges.items[i] != e) p->edges.items[kept++] = p->edges.items[i];
  p->edges.count = kept;
}

typedef struct looped {
  graphagile_plan_edge_list *made;
  int scale;
} looped;

static void add_loops(graphagile_plan *p, graphagile_plan_edge_list *base) {
  VEC(looped) all = {0};
  graphagile_plan_shape *shape = NULL;
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    const graphagile_plan_epilogue epilogue = l->epilogues[0];
    size_t at = 0;
    if (graphagile_plan_edges_of(l) != base || !adds_itself(p, l)) continue;
    while (at < all.count && all.items[at].scale != epilogue.scale) at++;
    if (at == all.count) {
      graphagile_plan_edge_list *made = with_loops(p, base, p->constants[epilogue.scale], &shape);
      VEC_PUSH(p->arena, &all, (looped){made, epilogue.scale});
    }
    l->spdmm.edges = all.items[at].made;
    l->functions = epilogue.functions;
    l->num_functions = epilogue.num_functions;
    l->num_epilogues--;
    memmove(l->epilogues, l->epilogues + 1, (size_t)l->num_epilogues * sizeof *l->epilogues);
    l->multiply_adds = (uint64_t)(l->spdmm.edges->list->edges * l->result->width);
  }
  if (all.count && !is_used(p, base)) remove_edges(p, base);
}

void graphagile_fuse_self_loops(graphagile_plan *p) {
  if (p->options->paper) return;
  for (size_t i = p->edges.count; i-- > 0;) add_loops(p, p->edges.items[i]);
}
