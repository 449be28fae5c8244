/* Estimates what all layers over a shape cost. Layers that cost the same over any shape are
 * estimated once, and no layer is estimated before its cycles are asked for. */
#include "codegen/graphagile/tile/tile_work.h"

#include "codegen/graphagile/plan/plan_links.h"
#include "codegen/graphagile/tile/tile_edges.h"
#include "codegen/graphagile/tile/tile_product.h"

#include <math.h>
#include <string.h>

static bool uses_shape(const graphagile_plan_layer *l, const graphagile_plan_shape *shape) {
  return graphagile_plan_has_pieces(l) && graphagile_plan_edges_of(l)->shape == shape;
}

static bool has_same_links(const graphagile_plan_spdmm *a, const graphagile_plan_spdmm *b) {
  bool is_same = a->num_links == b->num_links && a->is_divided == b->is_divided;
  for (int i = 0; i < a->num_links && is_same; i++)
    is_same = a->links[i]->kind == b->links[i]->kind && a->links[i]->num_functions == b->links[i]->num_functions;
  return is_same && graphagile_plan_source_fibers(a) == graphagile_plan_source_fibers(b) &&
         graphagile_plan_destination_fibers(a) == graphagile_plan_destination_fibers(b);
}

/* Whether both tensors have rows of the same width in the same kind of memory, or both are NULL. */
static bool are_alike(const graphagile_plan_tensor *a, const graphagile_plan_tensor *b) {
  return a && b ? a->width == b->width && a->place == b->place && a->is_half == b->is_half &&
                      a->is_compact == b->is_compact
                : a == b;
}

static bool products_cost_same(const graphagile_plan_layer *a, const graphagile_plan_layer *b) {
  if (!a || !b) return a == b;
  return a->result->width == b->result->width && a->num_epilogues == b->num_epilogues &&
         a->gemm.start.bias.fibers == b->gemm.start.bias.fibers && !a->gemm.start.addend == !b->gemm.start.addend &&
         graphagile_plan_posted_functions(a) == graphagile_plan_posted_functions(b) &&
         graphagile_plan_divisions(a) == graphagile_plan_divisions(b);
}

static bool sums_cost_same(const graphagile_plan_spdmm *a, const graphagile_plan_spdmm *b) {
  return graphagile_plan_heads(a) == graphagile_plan_heads(b) && are_alike(a->in, b->in) && a->before == b->before &&
         !a->start.addend == !b->start.addend && a->start.bias.fibers == b->start.bias.fibers &&
         !a->values == !b->values && !a->kept == !b->kept && has_same_links(a, b) &&
         products_cost_same(a->product, b->product);
}

static bool inners_cost_same(const graphagile_plan_sddmm *a, const graphagile_plan_sddmm *b) {
  int64_t heads = a->values ? a->values->width : 0, others = b->values ? b->values->width : 0;
  return are_alike(a->src, b->src) && !a->values == !b->values && heads == others;
}

static bool costs_same(const graphagile_plan_layer *a, const graphagile_plan_layer *b) {
  bool is_alike = a->kind == b->kind && a->num_epilogues == b->num_epilogues && are_alike(a->result, b->result) &&
                  graphagile_plan_edges_of(a)->record_bytes == graphagile_plan_edges_of(b)->record_bytes &&
                  graphagile_plan_posted_functions(a) == graphagile_plan_posted_functions(b) &&
                  graphagile_plan_divisions(a) == graphagile_plan_divisions(b);
  if (!is_alike) return false;
  return a->kind == GRAPHAGILE_PLAN_sddmm ? inners_cost_same(&a->sddmm, &b->sddmm)
                                          : sums_cost_same(&a->spdmm, &b->spdmm);
}

static int add_layer(const graphagile_plan *p, graphagile_tile_work *w, const graphagile_plan_layer *l) {
  for (size_t i = 0; i < w->layers.count; i++)
    if (costs_same(w->layers.items[i], l)) return (int)i;
  VEC_PUSH(p->arena, &w->layers, l);
  return (int)w->layers.count - 1;
}

static void add_unit(const graphagile_plan *p, graphagile_tile_work *w, const graphagile_tile_unit *u) {
  for (size_t i = 0; i < w->units.count; i++) {
    graphagile_tile_unit *other = &w->units.items[i];
    if (memcmp(&other->own, &u->own, sizeof u->own) || memcmp(&other->guard, &u->guard, sizeof u->guard) ||
        other->whole != u->whole || other->product != u->product || other->linear != u->linear)
      continue;
    other->number++;
    return;
  }
  VEC_PUSH(p->arena, &w->units, *u);
}

static graphagile_tile_forms forms_of(const graphagile_plan *p, graphagile_tile_work *w,
                                      const graphagile_fuse_group *f) {
  graphagile_tile_forms forms = {0};
  for (int form = 0; form < GRAPHAGILE_FUSE_FORMS; form++) {
    const graphagile_plan_layer *layers[GRAPHAGILE_FUSE_MAX_FORM];
    forms.counts[form] = graphagile_fuse_layers_of(p, f, (graphagile_fuse_form)form, layers);
    for (int i = 0; i < forms.counts[form]; i++) forms.layers[form][i] = add_layer(p, w, layers[i]);
  }
  return forms;
}

static graphagile_tile_unit unit_of(const graphagile_plan *p, graphagile_tile_work *w,
                                    const graphagile_fuse_groups *fusions, const graphagile_fuse_group *f) {
  graphagile_tile_unit u = {.own = forms_of(p, w, f), .whole = -1, .product = -1, .number = 1};
  if (f->guard < 0) return u;
  u.guard = forms_of(p, w, &fusions->items[f->guard]);
  u.whole = add_layer(p, w, &f->whole);
  return u;
}

/* Whether a fusion is the guard of another one; it is then counted in the unit of that one. */
static bool is_guard(const graphagile_fuse_groups *fusions, size_t index) {
  for (size_t i = 0; i < fusions->count; i++)
    if (fusions->items[i].guard == (int)index) return true;
  return false;
}

static bool is_fused(const graphagile_fuse_groups *fusions, const graphagile_plan *p, const graphagile_plan_layer *l) {
  size_t index = (size_t)(l - p->layers.items);
  for (size_t i = 0; i < fusions->count; i++) {
    const graphagile_fuse_group *f = &fusions->items[i];
    if (f->first == index || f->last == index) return true;
    for (int k = 0; k < f->num_chain; k++)
      if (f->chain[k] == index) return true;
  }
  return false;
}

/* Adds the product that layer `index` may be fused with. */
static void add_product(graphagile_plan *p, graphagile_tile_work *w, const graphagile_fuse_products *products,
                        size_t index, graphagile_tile_unit *u) {
  for (size_t i = 0; i < products->count; i++) {
    const graphagile_fuse_product *f = &products->items[i];
    if (f->sum != index) continue;
    u->product = add_layer(p, w, &f->both);
    u->linear = graphagile_tile_cost_linear(p, w->machine, &p->layers.items[f->linear]);
  }
}

graphagile_tile_work graphagile_tile_collect_work(graphagile_plan *p, const graphagile_cost_machine *m,
                                                  const graphagile_fuse_groups *fusions,
                                                  const graphagile_fuse_products *products,
                                                  const graphagile_plan_shape *shape) {
  graphagile_tile_work w = {.plan = p, .machine = m};
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    if (!uses_shape(l, shape) || is_fused(fusions, p, l)) continue;
    graphagile_tile_unit u = {.own.counts = {1}, .whole = -1, .product = -1, .number = 1};
    u.own.layers[GRAPHAGILE_FUSE_APART][0] = add_layer(p, &w, l);
    add_product(p, &w, products, i, &u);
    add_unit(p, &w, &u);
  }
  for (size_t i = 0; i < fusions->count; i++) {
    if (!uses_shape(&p->layers.items[fusions->items[i].first], shape) || is_guard(fusions, i)) continue;
    graphagile_tile_unit u = unit_of(p, &w, fusions, &fusions->items[i]);
    add_unit(p, &w, &u);
  }
  w.cycles = arena_alloc_array(p->arena, w.layers.count + 1, sizeof *w.cycles);
  return w;
}

static double cycles_of(const graphagile_tile_work *w, int layer) {
  double *cycles = &w->cycles[layer];
  if (*cycles < 0) graphagile_tile_edges(w->plan, w->machine, w->layers.items[layer], w->shape, cycles);
  return *cycles;
}

static void set_shape(graphagile_tile_work *w, graphagile_partition_shape shape) {
  w->shape = shape;
  for (size_t i = 0; i < w->layers.count; i++) w->cycles[i] = -1;
}

/* The cheapest form; *cycles is INFINITY where none costs less than `limit`. */
static graphagile_fuse_form cheapest_form(const graphagile_tile_work *w, const graphagile_tile_forms *forms,
                                          double limit, double *cycles) {
  graphagile_fuse_form best = GRAPHAGILE_FUSE_APART;
  *cycles = INFINITY;
  for (int form = 0; form < GRAPHAGILE_FUSE_FORMS; form++) {
    if (form && !forms->counts[form]) continue;
    double sum = 0, most = fmin(limit, *cycles);
    for (int i = 0; i < forms->counts[form] && sum < most; i++) sum += cycles_of(w, forms->layers[form][i]);
    if (sum >= most) continue;
    *cycles = sum;
    best = (graphagile_fuse_form)form;
  }
  return best;
}

/* Cycles of a unit in its cheapest forms: that of the fusion in *own, that of its guard in
 * *guard. INFINITY where these are not less than `limit`. */
static double cost_unit(const graphagile_tile_work *w, const graphagile_tile_unit *u, double limit,
                        graphagile_fuse_form *own, graphagile_fuse_form *guard) {
  double cycles, before;
  *guard = cheapest_form(w, &u->guard, INFINITY, &before);
  if (u->product >= 0) {
    const double without_room = 1e6; /* with -ffuse-product: a factor by which shapes without room look slow */
    *own = cheapest_form(w, &u->own, INFINITY, &cycles);
    double both = cycles_of(w, u->product);
    if (!w->plan->options->every_product) return fmin(cycles + u->linear, both);
    return both < INFINITY ? both : without_room * (cycles + u->linear);
  }
  *own = cheapest_form(w, &u->own, u->whole < 0 ? limit - before : INFINITY, &cycles);
  if (u->whole < 0 || cycles_of(w, u->whole) >= cycles + before) return cycles + before;
  *own = *guard = GRAPHAGILE_FUSE_WHOLE;
  return cycles_of(w, u->whole);
}

/* Units that take long come first in the next search, so that a bad shape is known soon. */
static void put_first(graphagile_tile_work *w, size_t unit) {
  graphagile_tile_unit first = w->units.items[unit];
  w->units.items[unit] = w->units.items[0];
  w->units.items[0] = first;
}

double graphagile_tile_cost_work(graphagile_tile_work *w, graphagile_partition_shape shape, double limit) {
  double sum = 0, most = 0;
  size_t longest = 0;
  set_shape(w, shape);
  for (size_t i = 0; i < w->units.count; i++) {
    graphagile_fuse_form own, guard;
    const graphagile_tile_unit *u = &w->units.items[i];
    double cycles = u->number * cost_unit(w, u, (limit - sum) / u->number, &own, &guard);
    sum += cycles;
    if (sum >= limit) return INFINITY;
    if (cycles <= most) continue;
    most = cycles;
    longest = i;
  }
  if (longest) put_first(w, longest);
  return sum;
}

/* More starts of the search find shapes for other forms; with so many edges the partition takes
 * longer to write than the search takes. */
bool graphagile_tile_has_long_groups(const graphagile_plan *p, const graphagile_fuse_groups *fusions,
                                     const graphagile_plan_shape *shape) {
  enum { LONG = 1 << 22 };
  for (size_t i = 0; i < fusions->count; i++)
    if (uses_shape(&p->layers.items[fusions->items[i].first], shape))
      return p->layers.items[fusions->items[i].first].spdmm.edges->list->edges > LONG;
  return false;
}

graphagile_fuse_form *graphagile_tile_choose_forms(const graphagile_plan *p, const graphagile_cost_machine *m,
                                                   const graphagile_fuse_groups *fusions) {
  graphagile_fuse_form *forms = arena_alloc_array(p->arena, fusions->count + 1, sizeof *forms);
  for (size_t i = 0; i < fusions->count; i++) {
    const graphagile_fuse_group *f = &fusions->items[i];
    graphagile_fuse_form none = GRAPHAGILE_FUSE_APART;
    graphagile_tile_work w = {.plan = p, .machine = m};
    if (is_guard(fusions, i)) continue;
    graphagile_tile_unit u = unit_of(p, &w, fusions, f);
    w.cycles = arena_alloc_array(p->arena, w.layers.count + 1, sizeof *w.cycles);
    set_shape(&w, p->layers.items[f->first].spdmm.edges->shape->shape);
    cost_unit(&w, &u, INFINITY, &forms[i], f->guard >= 0 ? &forms[f->guard] : &none);
  }
  return forms;
}
