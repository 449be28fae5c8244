/* Checks a finished plan from its layers and addresses alone. Fusions move layers and rewrite
 * their operands; a mistake there would not crash the program but make its numbers wrong. */
#include "codegen/graphagile/plan/plan_verify.h"

#include <limits.h>

/* A tensor with memory of its own. Its parts are fibers, or of values of edges the arrays of
 * heads. */
typedef struct lifetime {
  const graphagile_plan_tensor *root;
  int *writer;     /* [parts] the layer that wrote the part; -1: none so far */
  int first, last; /* layer that writes it first; layer that reads or writes it last */
} lifetime;

typedef struct lives {
  graphagile_plan *plan;
  map index; /* from a tensor to its lifetime */
  VEC(lifetime) items;
} lives;

static int64_t parts_of(const graphagile_plan_tensor *t) {
  return t->edges ? t->width : t->fibers;
}

static lifetime *life_of(lives *v, const graphagile_plan_tensor *root) {
  int64_t at = map_get(&v->index, root, -1);
  if (at >= 0) return &v->items.items[at];
  size_t parts = (size_t)parts_of(root);
  lifetime made = {.root = root, .first = INT_MAX, .last = -1};
  made.writer = arena_alloc_array(v->plan->arena, parts + 1, sizeof *made.writer);
  for (size_t i = 0; i < parts; i++) made.writer[i] = -1;
  map_set(&v->index, root, (int64_t)v->items.count);
  VEC_PUSH(v->plan->arena, &v->items, made);
  return &v->items.items[v->items.count - 1];
}

/* Finds the parts first .. end - 1 of its root that a tensor covers; false where it lies beyond
 * the root. */
static bool find_parts(const graphagile_plan_tensor *t, int64_t *first, int64_t *end) {
  *first = 0;
  for (const graphagile_plan_tensor *up = t; up->whole; up = up->whole) *first += up->window;
  *end = *first + parts_of(t);
  return *end <= parts_of(graphagile_plan_root(t));
}

static void look(lives *v, const graphagile_plan_layer *layer, int index, const graphagile_plan_tensor *t,
                 bool writes) {
  int64_t first, end;
  if (!t || v->plan->failed) return;
  const graphagile_plan_tensor *root = graphagile_plan_root(t);
  if (root->place != GRAPHAGILE_PLAN_HIDDEN) return; /* inputs and constants are written before the first layer */
  if (!find_parts(t, &first, &end)) {
    graphagile_plan_fail(v->plan, layer, DIAG_internal, "'%s' is no part of '%s'", t->name, root->name);
    return;
  }
  lifetime *life = life_of(v, root);
  for (int64_t i = first; i < end; i++) {
    if (writes) life->writer[i] = index;
    if (life->writer[i] >= 0) continue;
    graphagile_plan_fail(v->plan, layer, DIAG_internal, "'%s' is read before it is made", t->name);
    return;
  }
  if (writes && index < life->first) life->first = index;
  if (index > life->last) life->last = index;
}

static void look_at_operands(lives *v, const graphagile_plan_layer *l, int index) {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OPERANDS];
  int count = graphagile_plan_operands(l, operands);
  for (int i = 0; i < count; i++) look(v, l, index, operands[i], false);
}

/* Whether two tensors are needed at the same time. A layer's operands and its result are,
 * because one block may store its result while another still reads. */
static bool meet(const lifetime *a, const lifetime *b) {
  bool in_time = a->first <= b->last && b->first <= a->last;
  const graphagile_plan_tensor *x = a->root, *y = b->root;
  return in_time && x->bytes && y->bytes && x->address < y->address + y->bytes && y->address < x->address + x->bytes;
}

bool graphagile_plan_verify(graphagile_plan *p) {
  lives v = {.plan = p, .index = {.arena = p->arena}};
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    look_at_operands(&v, l, (int)i);
    look(&v, l, (int)i, graphagile_plan_stored_of(l), true);
    if (l->kind == GRAPHAGILE_PLAN_spdmm) look(&v, l, (int)i, l->spdmm.kept, true);
  }
  for (size_t i = 0; i < p->outputs.count; i++) look(&v, NULL, INT_MAX, p->outputs.items[i].tensor, false);
  for (size_t i = 0; i < v.items.count && !p->failed; i++)
    for (size_t k = 0; k < i && !p->failed; k++)
      if (meet(&v.items.items[i], &v.items.items[k]))
        graphagile_plan_fail(p, NULL, DIAG_internal, "'%s' and '%s' share memory while both are needed",
                             v.items.items[k].root->name, v.items.items[i].root->name);
  return !p->failed;
}
