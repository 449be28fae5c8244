/* Finds the layers that may be fused with the Aggregate that reads their values, and changes the
 * plan to the chosen form of each fusion (fuse_attention.h). */
#include "codegen/graphagile/fuse/fuse_attention.h"

#include "codegen/graphagile/plan/plan_links.h"

/* ---- readers of tensors ---- */

/* The index of the first layer from `from` on that reads a tensor; the number of layers where there
 * is none. */
static size_t next_reader(const graphagile_plan *p, const graphagile_plan_tensor *t, size_t from) {
  while (from < p->layers.count && !graphagile_plan_reads(&p->layers.items[from], t)) from++;
  return from;
}

static bool is_read_once(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  size_t first = next_reader(p, t, 0);
  return !t->is_output && first < p->layers.count && next_reader(p, t, first + 1) == p->layers.count;
}

/* ---- which layers may be links ---- */

/* Whether one instruction per head can combine its numbers with the values that are there, because
 * the columns of a head lie in one fiber; or the numbers are added, so that several instructions
 * can follow one another. */
static bool combines(const graphagile_plan *p, const graphagile_plan_layer *l) {
  const graphagile_plan_tensor *rows = graphagile_plan_rows_of(&l->sddmm);
  int64_t columns = rows->width / l->result->width, lanes = p->device->width;
  return graphagile_plan_is_added(&l->sddmm) || (columns <= lanes && lanes % columns == 0) || rows->width <= lanes;
}

/* Whether the layer combines its numbers with the weights in the records of the edge list. */
static bool takes_weights(const graphagile_plan_layer *l) {
  return l->kind == GRAPHAGILE_PLAN_sddmm && l->sddmm.combine != GRAPHAGILE_COMBINE_replace && !l->sddmm.values;
}

static bool is_link(const graphagile_plan *p, const graphagile_plan_layer *l) {
  if (l->kind == GRAPHAGILE_PLAN_values) return !l->values.b; /* functions alone */
  if (l->kind != GRAPHAGILE_PLAN_sddmm || !combines(p, l)) return false;
  /* the weights in the Edge Buffer are overwritten by the first head */
  return !takes_weights(l) || l->result->width == 1;
}

/* The values that a link combines its numbers with; NULL where these are the weights of records, or
 * where there are none. */
static graphagile_plan_tensor *values_of(const graphagile_plan_layer *l) {
  if (l->kind == GRAPHAGILE_PLAN_values) return l->values.a;
  return l->sddmm.combine == GRAPHAGILE_COMBINE_replace ? NULL : l->sddmm.values;
}

/* Finds the layer that makes values for a link and for nothing else. */
static bool find_link_before(const graphagile_plan *p, size_t link, size_t *out) {
  const graphagile_plan_tensor *values = values_of(&p->layers.items[link]);
  if (!values || values->first < 0 || values->place != GRAPHAGILE_PLAN_HIDDEN || !is_read_once(p, values)) return false;
  *out = (size_t)values->first;
  return is_link(p, &p->layers.items[*out]) && p->layers.items[*out].result == values;
}

static void find_chain(const graphagile_plan *p, size_t last, graphagile_fuse_group *f) {
  size_t chain[GRAPHAGILE_FUSE_MAX_CHAIN] = {last};
  int count = 1;
  while (count < GRAPHAGILE_FUSE_MAX_CHAIN && find_link_before(p, chain[count - 1], &chain[count])) count++;
  f->num_chain = count;
  for (int i = 0; i < count; i++) f->chain[i] = chain[count - 1 - i];
}

/* ---- the Aggregates of a fusion ---- */

/* Whether the sums of an Aggregate begin with 0: no addend, no bias. */
static bool is_bare(const graphagile_plan_spdmm *s) {
  return !s->start.addend && !s->start.bias.fibers;
}

static bool has_plain_sum(const graphagile_plan_layer *l) {
  return l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.reduce == GRAPHAGILE_REDUCE_sum && is_bare(&l->spdmm) &&
         !l->spdmm.before;
}

/* Whether `last` is divided by the sums of `first`, both sum up the same values, and no other layer
 * needs the sums of `first`. */
static bool divides(const graphagile_plan *p, const graphagile_plan_layer *first, const graphagile_plan_layer *last) {
  if (!has_plain_sum(first) || first->spdmm.in || first->num_functions || first->num_epilogues) return false;
  if (!has_plain_sum(last) || !last->spdmm.in || !last->num_epilogues) return false;
  if (first->spdmm.values != last->spdmm.values) return false;
  const graphagile_plan_epilogue *t = &last->epilogues[0];
  return t->operation == GRAPHAGILE_VECTOR_div && t->is_bcast && !t->is_swapped && !t->scale &&
         t->other == first->result && first->result->width == 1 && first->result->place == GRAPHAGILE_PLAN_HIDDEN &&
         !first->result->whole && is_read_once(p, first->result);
}

static graphagile_plan_layer add_links(graphagile_plan *p, const graphagile_plan_layer *to,
                                       const graphagile_fuse_group *f, graphagile_plan_tensor *kept) {
  graphagile_plan_layer made = *to;
  const graphagile_plan_layer **links = arena_alloc_array(p->arena, (size_t)f->num_chain, sizeof *links);
  for (int i = 0; i < f->num_chain; i++) {
    graphagile_plan_layer *copy = arena_alloc(p->arena, sizeof *copy);
    *copy = p->layers.items[f->chain[i]];
    links[i] = copy;
    made.multiply_adds += copy->multiply_adds;
  }
  made.spdmm.links = links;
  made.spdmm.num_links = f->num_chain;
  made.spdmm.values = values_of(links[0]);
  made.spdmm.kept = kept;
  return made;
}

static graphagile_plan_layer add_division(const graphagile_plan_layer *to, const graphagile_plan_layer *first) {
  graphagile_plan_layer made = *to;
  made.spdmm.is_divided = true;
  made.epilogues[0].other = NULL;
  made.epilogues[0].is_own = true;
  made.multiply_adds += first->multiply_adds;
  return made;
}

/* Finds the fusion whose chain ends in layer `end`. The values of that layer are stored too where a
 * layer behind the two Aggregates reads them. */
static bool find_fusion(graphagile_plan *p, size_t end, graphagile_fuse_group *f) {
  const graphagile_plan_layer *layers = p->layers.items, *l = &layers[end];
  graphagile_plan_tensor *values = l->result;
  const size_t none = p->layers.count;
  if (!is_link(p, l) || l->kind != GRAPHAGILE_PLAN_sddmm || values->whole) return false;
  f->first = f->last = next_reader(p, values, end + 1);
  if (f->first == none || layers[f->first].kind != GRAPHAGILE_PLAN_spdmm) return false;
  const graphagile_plan_spdmm *sum = &layers[f->first].spdmm;
  if (sum->values != values || sum->before) return false;
  find_chain(p, end, f);
  for (int i = 0; i < f->num_chain; i++) /* the records on the piece are those of the Aggregate's list */
    if (takes_weights(&layers[f->chain[i]]) && layers[f->chain[i]].sddmm.edges != sum->edges) return false;
  size_t next = next_reader(p, values, f->first + 1);
  f->begin = add_links(p, &layers[f->first], f, values->is_output || next < none ? values : NULL);
  if (next == none || !divides(p, &layers[f->first], &layers[next])) return true;
  f->last = next;
  next = next_reader(p, values, next + 1);
  f->sum = add_division(&layers[f->last], &layers[f->first]);
  f->all = add_links(p, &f->sum, f, values->is_output || next < none ? values : NULL);
  return true;
}

/* Whether the first Aggregate of a fusion makes rows for one link of another fusion, its chain
 * makes values for the same link, and no other layer reads either. */
static bool guards(const graphagile_plan *p, const graphagile_fuse_group *guard, const graphagile_fuse_group *f) {
  const graphagile_plan_layer *layers = p->layers.items, *link = &layers[f->chain[0]], *made = &layers[guard->first];
  const graphagile_plan_tensor *values = layers[guard->chain[guard->num_chain - 1]].result;
  bool is_plain = !made->spdmm.in && !made->num_functions && !made->num_epilogues && is_bare(&made->spdmm);
  size_t readers = 0;
  for (size_t i = next_reader(p, values, 0); i < p->layers.count; i = next_reader(p, values, i + 1)) readers++;
  if (link->kind != GRAPHAGILE_PLAN_sddmm) return false;
  bool meets = link->sddmm.dst == made->result && link->sddmm.values == values &&
               link->sddmm.combine != GRAPHAGILE_COMBINE_replace && !link->sddmm.src;
  return guard->first == guard->last && is_plain && made->spdmm.reduce != GRAPHAGILE_REDUCE_sum && meets &&
         !values->is_output && readers == 2 && !made->result->whole && is_read_once(p, made->result) &&
         made->result->place == GRAPHAGILE_PLAN_HIDDEN && made->spdmm.edges == layers[f->first].spdmm.edges;
}

/* An Aggregate with all links of a guard, the guard's reduction as a link, then the links of the
 * fusion. */
static graphagile_plan_layer add_guard(graphagile_plan *p, const graphagile_plan_layer *to,
                                       const graphagile_fuse_group *guard) {
  graphagile_plan_layer made = *to;
  graphagile_plan_layer *copy = arena_alloc(p->arena, sizeof *copy);
  const graphagile_plan_layer **links = arena_alloc_array(p->arena, GRAPHAGILE_PLAN_MAX_LINKS, sizeof *links);
  int count = 0;
  *copy = p->layers.items[guard->first];
  const graphagile_plan_spdmm *first = &guard->begin.spdmm, *then = &to->spdmm;
  for (int i = 0; i < first->num_links; i++) links[count++] = first->links[i];
  links[count++] = copy;
  for (int i = 0; i < then->num_links; i++) links[count++] = then->links[i];
  made.spdmm.links = links;
  made.spdmm.num_links = count;
  made.spdmm.values = first->values;
  made.multiply_adds += guard->begin.multiply_adds;
  return made;
}

graphagile_fuse_groups graphagile_fuse_find(graphagile_plan *p) {
  graphagile_fuse_groups all = {0};
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_fuse_group f = {.guard = -1};
    if (!find_fusion(p, i, &f)) continue;
    for (size_t k = 0; k < all.count && f.guard < 0; k++)
      if (guards(p, &all.items[k], &f)) f.guard = (int)k;
    if (f.guard >= 0) f.whole = add_guard(p, f.last != f.first ? &f.all : &f.begin, &all.items[f.guard]);
    VEC_PUSH(p->arena, &all, f);
  }
  return all;
}

int graphagile_fuse_layers_of(const graphagile_plan *p, const graphagile_fuse_group *f, graphagile_fuse_form form,
                              const graphagile_plan_layer *out[GRAPHAGILE_FUSE_MAX_FORM]) {
  bool has_last = f->last != f->first, is_chain_apart = form == GRAPHAGILE_FUSE_APART || form == GRAPHAGILE_FUSE_SUM;
  int count = 0;
  if (!has_last && form > GRAPHAGILE_FUSE_BEGIN) return 0;
  for (int i = 0; is_chain_apart && i < f->num_chain; i++) out[count++] = &p->layers.items[f->chain[i]];
  switch (form) {
  case GRAPHAGILE_FUSE_APART:
  case GRAPHAGILE_FUSE_BEGIN:
    out[count++] = form == GRAPHAGILE_FUSE_BEGIN ? &f->begin : &p->layers.items[f->first];
    if (has_last) out[count++] = &p->layers.items[f->last];
    break;
  case GRAPHAGILE_FUSE_SUM: out[count++] = &f->sum; break;
  default: out[count++] = &f->all;
  }
  return count;
}

/* ---- changing the plan ---- */

void graphagile_fuse_apply(graphagile_plan *p, const graphagile_fuse_groups *fusions,
                           const graphagile_fuse_form *forms) {
  bool *is_absorbed = arena_alloc_array(p->arena, p->layers.count + 1, sizeof *is_absorbed);
  size_t kept = 0;
  bool changes = false;
  for (size_t i = 0; i < fusions->count; i++) {
    const graphagile_fuse_group *f = &fusions->items[i];
    bool takes_chain = forms[i] != GRAPHAGILE_FUSE_APART && forms[i] != GRAPHAGILE_FUSE_SUM,
         is_whole = forms[i] == GRAPHAGILE_FUSE_WHOLE;
    bool is_guard = is_whole && f->guard < 0,
         takes_first = forms[i] >= GRAPHAGILE_FUSE_SUM && (is_guard || f->last != f->first);
    for (int k = 0; takes_chain && k < f->num_chain; k++) is_absorbed[f->chain[k]] = true;
    if (takes_first) is_absorbed[f->first] = true;
    if (forms[i] == GRAPHAGILE_FUSE_BEGIN) p->layers.items[f->first] = f->begin;
    if (forms[i] == GRAPHAGILE_FUSE_SUM) p->layers.items[f->last] = f->sum;
    if (forms[i] == GRAPHAGILE_FUSE_ALL) p->layers.items[f->last] = f->all;
    if (is_whole && !is_guard) p->layers.items[f->last] = f->whole;
    changes |= forms[i] != GRAPHAGILE_FUSE_APART;
  }
  if (!changes) return;
  for (size_t i = 0; i < p->layers.count; i++) {
    if (is_absorbed[i])
      p->layers.items[i].result->is_gone = true;
    else
      p->layers.items[kept++] = p->layers.items[i];
  }
  p->layers.count = kept;
  graphagile_plan_find_lives(p);
}
