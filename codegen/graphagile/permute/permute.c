/* Chooses the order of nodes in device memory by an estimate on the edges that there are.
 *
 *   a hub in each of rows 0 .. 15, all in shard 0   ->   one hub per shard, in different banks
 *
 * Nodes of real graphs have their hubs side by side, or at ids that are multiples of a power of two. Then
 * one PE, pipeline or bank has most of the work. An order that deals nodes out by their degrees gives each
 * an equal part, but takes away the neighbourhoods that make subshards empty. Therefore orders are tried:
 * the user's, degrees dealt out inside each shard, degrees dealt out over all shards. Graphs whose edges are
 * spread evenly keep the user's order after a look at some edges. */
#include "codegen/graphagile/permute/permute.h"

#include "codegen/device/steps/place.h"
#include "codegen/graphagile/permute/permute_deal.h"
#include "codegen/graphagile/permute/permute_estimate.h"
#include "codegen/graphagile/permute/permute_hubs.h"
#include "codegen/graphagile/permute/permute_sample.h"

#include <math.h>
#include <string.h>

enum {
  LOOK = 1 << 15,       /* edges that say whether a list is even */
  OTHERS = 1 << 14,     /* edges of other lists than the main one by which orders are compared */
  SAMPLE = 1 << 17,     /* edges by which orders are compared */
  DEGREES = 1 << 24,    /* edges by which degrees are counted */
  MOST_CELLS = 1 << 17, /* subshards of a list whose edges are counted by subshard */
  FEW_PLACES = 8,
  MANY_PLACES = 32 /* sums of a hub */
};

static const double worth_it = 0.97; /* an order is taken if it needs less than this part of the cycles */

/* The choice for one set of rows. */
typedef struct choice {
  graphagile_plan *plan;
  arena *memory;
  graphagile_cost_machine machine;
  const char *set;
  int64_t rows;
  const graphagile_plan_edge_list *main; /* the list from the set to itself on which layers work most */
  graphagile_permute_hubs hubs;          /* by the main list */
  program_edge_list *samples;            /* [edge lists of the plan] made on first use */
  graphagile_permute_degrees degrees;
} choice;

static bool is_set(const char *a, const char *b) {
  return a && b && !strcmp(a, b);
}

static ir_type type_of(const graphagile_plan_edge_list *e) {
  return ir_type_of(ir_result(e->op));
}

/* ---- what has to stay in order ----------------------------------------------------------------------------------- */

/* Whether a layer needs the rows of a set in ranges by type. */
static bool needs_types(const graphagile_plan_layer *l, const char *set) {
  bool has_types = (l->kind == GRAPHAGILE_PLAN_gemm && l->gemm.segments.count) ||
                   (l->kind == GRAPHAGILE_PLAN_vadd && l->vadd.segments.count);
  return has_types && l->result && is_set(l->result->set, set);
}

/* Whether steps of the host and layers of the device read the same input, which has one order. */
static bool is_read_by_both(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  if (!p->has_host || mlirOperationIsNull(t->input)) return false;
  IR_FOR_EACH_USE(use, ir_result(t->input))
    if (place_is_on_host(mlirOpOperandGetOwner(use))) return true;
  return false;
}

static int64_t cells_of(const graphagile_plan_edge_list *e) {
  const graphagile_partition_shape *s = &e->shape->shape;
  return number_ceil_div(e->list->to_rows, s->dst_rows) * number_ceil_div(e->list->from_rows, s->src_rows);
}

static bool touches(const choice *c, const graphagile_plan_edge_list *e) {
  return is_set(type_of(e).set, c->set) || is_set(type_of(e).detail, c->set);
}

/* Why the rows of the set have to stay in the user's order; NULL where they may move. */
static const char *find_obstacle(const choice *c) {
  const graphagile_plan *p = c->plan;
  for (size_t i = 0; i < p->layers.count; i++)
    if (needs_types(&p->layers.items[i], c->set)) return "they lie in ranges by type";
  for (size_t i = 0; i < p->tensors.count; i++)
    if (is_set(p->tensors.items[i]->set, c->set) && is_read_by_both(p, p->tensors.items[i]))
      return "host and device read the same input";
  for (size_t i = 0; i < p->edges.count; i++)
    if (touches(c, p->edges.items[i]) && cells_of(p->edges.items[i]) > MOST_CELLS)
      return "there are too many subshards";
  return NULL;
}

/* ---- remarks ----------------------------------------------------------------------------------------------------- */

/* Reports at the first layer over the main list what became of the rows, and why. */
static void remark(const choice *c, const char *what) {
  graphagile_plan *p = c->plan;
  const graphagile_plan_layer *l = p->layers.items;
  if (!p->options->remarks) return;
  while (graphagile_plan_edges_of(l) != c->main) l++;
  place_remark(p->arena, p->diag, l->op, "the rows of '%s' %s", c->set, what);
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* Counts the edges at both ends of the main list, or of a part of them. */
static void count_degrees(const choice *c, uint32_t *in, uint32_t *out) {
  const program_edge_list *list = c->main->list;
  int64_t stored = list->edges - list->loops, step = number_ceil_div(stored, DEGREES);
  for (int64_t e = 0; e < stored; e += step) {
    in[list->dst[e]]++;
    out[list->src[e]]++;
  }
}

/* An order to try. */
typedef struct attempt {
  const int32_t *place;             /* NULL: the user's order */
  graphagile_partition_shape shape; /* of the main list and those that share its shape */
  bool stays;                       /* rows stay in their shards */
  const char *how;
  double cycles;
} attempt;

/* Counts the edges of list number i of the plan. */
static graphagile_permute_cells count_cells(const choice *c, size_t i, const attempt *t) {
  const graphagile_plan_edge_list *e = c->plan->edges.items[i];
  program_edge_list *sample = &c->samples[i];
  bool is_to = is_set(type_of(e).detail, c->set);
  if (!sample->edges) *sample = graphagile_permute_sample(c->memory, e->list, e == c->main ? SAMPLE : OTHERS);
  sample->src_place = is_set(type_of(e).set, c->set) ? t->place : NULL;
  sample->dst_place = is_to ? t->place : NULL;
  return graphagile_permute_count(c->memory, sample, e->list->edges - e->list->loops,
                                  e->shape == c->main->shape ? t->shape : e->shape->shape, c->plan->device->width,
                                  is_to ? &c->hubs : NULL);
}

/* The estimated cycles of all layers over lists from or to the set. */
static double estimate(const choice *c, const attempt *t) {
  const graphagile_plan *p = c->plan;
  double cycles = 0;
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_permute_cells cells = {0};
    for (size_t k = 0; touches(c, p->edges.items[i]) && k < p->layers.count; k++) {
      const graphagile_plan_layer *l = &p->layers.items[k];
      if (!graphagile_plan_has_pieces(l) || graphagile_plan_edges_of(l) != p->edges.items[i]) continue;
      if (!cells.count) cells = count_cells(c, i, t);
      cycles += graphagile_permute_estimate(&c->machine, l, &cells);
    }
  }
  return cycles;
}

/* Keeps an order for the plan, with its reverse and the user's indices. */
static bool keep(const choice *c, const int32_t *place) {
  graphagile_plan *p = c->plan;
  const int32_t *order;
  if (!graphagile_plan_check(p, program_host_set_order(p->host, c->set, &order))) return false;
  size_t rows = (size_t)c->rows;
  graphagile_plan_permutation *made = arena_alloc(p->arena, sizeof *made);
  int32_t *to = arena_alloc_array(p->arena, rows, sizeof *to), *row = arena_alloc_array(p->arena, rows, sizeof *row);
  int32_t *user = order ? arena_alloc_array(p->arena, rows, sizeof *user) : row;
  memcpy(to, place, rows * sizeof *to);
  for (size_t i = 0; i < rows; i++) row[to[i]] = (int32_t)i;
  for (size_t i = 0; order && i < rows; i++) user[i] = order[row[i]];
  *made = (graphagile_plan_permutation){.rows = c->rows, .place = to, .row = row, .user = user};
  map_set_pointer(&p->permutations, c->set, made);
  return true;
}

/* Whether a look at some edges says that no order is better than the user's. */
static bool is_even(const choice *c) {
  const program_edge_list *list = c->main->list;
  const program_edge_list sample = graphagile_permute_sample(c->memory, list, LOOK);
  const graphagile_permute_cells cells = graphagile_permute_count(c->memory, &sample, list->edges - list->loops,
                                                                  c->main->shape->shape, c->plan->device->width, NULL);
  return graphagile_permute_is_even(&cells);
}

/* Tries to deal the rows out, and keeps the order if it is better than the best so far. */
static void try_deal(choice *c, bool stays, graphagile_partition_shape shape, attempt *best) {
  int32_t *place = arena_alloc_array(c->memory, (size_t)c->rows, sizeof *place);
  attempt t = {.place = place, .shape = shape, .stays = stays};
  c->degrees.height = shape.dst_rows;
  c->degrees.hub_rows = shape.hub_rows;
  graphagile_permute_deal(c->memory, &c->degrees, stays, place);
  t.how = arena_printf(c->memory, "%s shard%s%s", stays ? "inside each" : "over all", stays ? "" : "s",
                       shape.hub_rows ? ", with several sums for hubs" : "");
  t.cycles = estimate(c, &t);
  if (t.cycles < worth_it * best->cycles) *best = t;
}

/* Tries both ways to deal with and without several sums for hubs; the number of sums for the better way alone. */
static void try_all(choice *c, attempt *best) {
  const graphagile_partition_shape plain = c->main->shape->shape;
  const graphagile_partition_shape few = graphagile_permute_spread_hubs(c->plan, c->main, FEW_PLACES);
  const graphagile_partition_shape many = graphagile_permute_spread_hubs(c->plan, c->main, MANY_PLACES);
  try_deal(c, true, few, best);
  try_deal(c, false, few, best);
  if (!few.hub_rows) return;
  const bool stays = best->place && best->stays;
  try_deal(c, stays, plain, best);
  if (best->shape.hub_rows && many.hub_rows) try_deal(c, stays, many, best);
}

static bool choose(choice *c) {
  const bool always = c->plan->options->permute_always;
  if (!always && is_even(c)) {
    remark(c, "stay in the user's order: their edges are spread evenly");
    return true;
  }
  uint32_t *in = arena_alloc_array(c->memory, (size_t)c->rows, sizeof *in);
  uint32_t *out = arena_alloc_array(c->memory, (size_t)c->rows, sizeof *out);
  count_degrees(c, in, out);
  c->degrees = (graphagile_permute_degrees){.rows = c->rows, .lanes = c->plan->device->width, .in = in, .out = out};
  graphagile_permute_sort(c->memory, &c->degrees);
  c->hubs = graphagile_permute_find_hubs(c->memory, in, c->rows);
  c->samples = arena_alloc_array(c->memory, c->plan->edges.count, sizeof *c->samples);
  attempt best = {.shape = c->main->shape->shape};
  double before = estimate(c, &best);
  best.cycles = always ? INFINITY : before;
  try_all(c, &best);
  if (!best.place) {
    remark(c, "stay in the user's order: no other order is estimated to take fewer cycles");
    return true;
  }
  remark(c, arena_printf(c->memory, "are dealt out by degree %s: about %.0f cycles of sums over edges instead of %.0f",
                         best.how, best.cycles, before));
  graphagile_permute_set_shape(c->plan, c->main, best.shape);
  return keep(c, best.place);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static double work_over(const graphagile_plan *p, const graphagile_plan_edge_list *e) {
  double work = 0;
  for (size_t i = 0; i < p->layers.count; i++)
    if (graphagile_plan_has_pieces(&p->layers.items[i]) && graphagile_plan_edges_of(&p->layers.items[i]) == e)
      work += (double)p->layers.items[i].multiply_adds;
  return work;
}

/* The list from a set of nodes to itself on which layers work most; NULL: none. */
static const graphagile_plan_edge_list *find_main(const graphagile_plan *p) {
  const graphagile_plan_edge_list *best = NULL;
  double most = 0;
  for (size_t i = 0; i < p->edges.count; i++) {
    const graphagile_plan_edge_list *e = p->edges.items[i];
    ir_type type = type_of(e);
    double work = work_over(p, e);
    bool is_of_nodes = is_set(type.set, type.detail) && !strchr(type.set, '.');
    if (!is_of_nodes || work <= most || e->list->edges == e->list->loops) continue;
    best = e;
    most = work;
  }
  return best;
}

bool graphagile_permute_rows(graphagile_plan *p) {
  p->permutations = (map){.arena = p->arena, .of_strings = true};
  const graphagile_plan_edge_list *e = p->options->permute ? find_main(p) : NULL;
  if (!e) return true;
  choice c = {.plan = p, .machine = graphagile_cost_machine_of(p->options), .main = e, .set = type_of(e).set};
  c.rows = e->list->to_rows;
  const char *obstacle = find_obstacle(&c);
  if (obstacle) {
    remark(&c, arena_printf(p->arena, "stay in the user's order: %s", obstacle));
    return true;
  }
  c.memory = arena_create();
  bool ok = choose(&c);
  arena_destroy(c.memory);
  return ok;
}
