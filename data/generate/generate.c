/* Makes synthetic graphs from random whole numbers and correctly rounded arithmetic, so that a seed
 * gives the same bytes on every machine.
 *
 *   uniform     both ends of an edge are uniformly distributed
 *   power law   node i is an end with weight (i + 1)^(-1 / (exponent - 1)); hubs have small ids
 *   rmat        both ends follow from a walk down the quadrants of the adjacency matrix
 *
 * The power law is that of Chung and Lu, R-MAT that of Chakrabarti, Zhan and Faloutsos. */
#include "data/generate/generate.h"
#include "data/edge_list.h"
#include "data/generate/generate_features.h"
#include "data/generate/power.h"
#include "data/generate/random.h"
#include "data/import/edge_pairs.h"
#include "support/huge_pages.h"
#include "support/progress.h"

#include <inttypes.h>
#include <stdlib.h>

/* The random streams of the edges. */
enum { PURPOSE_edges = 1, PURPOSE_types, PURPOSE_weights };

/* The state of drawing ends of edges. */
typedef struct end_source {
  const generate_options *options;
  random_state random;
  double *cumulative;    /* power law: sum of the weights of the nodes 0 .. i */
  uint32_t quadrants[3]; /* rmat: a, a + b, a + b + c in units of 2^-32 */
  int levels;            /* rmat: bits of a node id */
} end_source;

static status refuse(const char *what) {
  return status_error(STATUS_CODE_mismatch, "%s", what);
}

static bool is_share(double x) {
  return x >= 0 && x <= 1;
}

static status check_options(const generate_options *o) {
  const int64_t counts[] = {o->num_nodes,   o->num_edges,      o->num_features,
                            o->num_classes, o->num_edge_types, o->num_node_types};
  static const char *const names[] = {"nodes", "edges", "features", "classes", "edge types", "node types"};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i] < 0 || counts[i] >= INT32_MAX)
      return status_error(STATUS_CODE_mismatch, "%" PRId64 " %s, expected 0 to %d", counts[i], names[i], INT32_MAX - 1);
  if (o->num_edges && !o->num_nodes) return refuse("edges need nodes");
  bool has_no_loops = o->drops_loops || o->is_undirected;
  if (o->num_edges && o->num_nodes == 1 && has_no_loops) return refuse("the only edges of one node are self loops");
  if (o->is_undirected && o->num_edges % 2) return refuse("an undirected graph has an even number of directed edges");
  if (!is_share(o->density)) return refuse("the density of the features is between 0 and 1");
  if (o->exponent != 0 && !(o->exponent > 1 && o->exponent <= 100))
    return refuse("the exponent is above 1 and at most 100");
  if (o->num_node_types > o->num_nodes) return refuse("there are more node types than nodes");
  double total = 0;
  for (int i = 0; i < 3; i++) {
    if (!is_share(o->rmat[i])) return refuse("the R-MAT shares are between 0 and 1");
    total += o->rmat[i];
  }
  if (total > 1) return refuse("the R-MAT shares a, b, c add up to more than 1");
  int64_t features; /* checked before gigabytes of edges are made in vain */
  size_t bytes;
  bool is_dense = o->num_features && o->density >= 1;
  return is_dense ? tensor_measure(DTYPE_F32, 2, (int64_t[]){o->num_nodes, o->num_features}, &features, &bytes)
                  : STATUS_OK;
}

static status prepare_power_law(end_source *s, arena *a) {
  const generate_options *o = s->options;
  double exponent = -1.0 / ((o->exponent != 0 ? o->exponent : 2.1) - 1.0);
  s->cumulative = arena_try_alloc_array(a, (size_t)o->num_nodes, sizeof *s->cumulative);
  if (!s->cumulative) return status_error(STATUS_CODE_memory, "%" PRId64 " nodes do not fit into memory", o->num_nodes);
  double total = 0;
  for (int64_t n = 0; n < o->num_nodes; n++) s->cumulative[n] = total += power_of((double)(n + 1), exponent);
  return STATUS_OK;
}

static void prepare_rmat(end_source *s) {
  static const double usual[3] = {0.57, 0.19, 0.19};
  const double *shares = s->options->rmat;
  bool is_unset = shares[0] == 0 && shares[1] == 0 && shares[2] == 0;
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += is_unset ? usual[i] : shares[i];
    s->quadrants[i] = sum >= 1 ? UINT32_MAX : (uint32_t)(sum * 0x1p32);
  }
  while ((int64_t)1 << s->levels < s->options->num_nodes) s->levels++;
}

static int64_t draw_power_law(end_source *s) {
  int64_t low = 0, high = s->options->num_nodes - 1;
  double at = random_unit(&s->random) * s->cumulative[high];
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (s->cumulative[middle] <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Walks down the quadrants once; false when the edge ends outside of the nodes. */
static bool draw_rmat(end_source *s, edge_record *edge) {
  int64_t src = 0, dst = 0;
  uint64_t bits = 0;
  for (int level = 0; level < s->levels; level++) {
    if (level % 2 == 0) bits = random_next(&s->random);
    uint32_t choice = (uint32_t)bits;
    bits >>= 32;
    bool is_down = choice >= s->quadrants[1];
    bool is_right = is_down ? choice >= s->quadrants[2] : choice >= s->quadrants[0];
    src = src << 1 | is_down;
    dst = dst << 1 | is_right;
  }
  edge->src = src;
  edge->dst = dst;
  return src < s->options->num_nodes && dst < s->options->num_nodes;
}

static bool draw_edge(end_source *s, edge_record *edge) {
  uint64_t nodes = (uint64_t)s->options->num_nodes;
  switch (s->options->kind) {
  case GENERATE_uniform:
    edge->src = (int64_t)random_below(&s->random, nodes);
    edge->dst = (int64_t)random_below(&s->random, nodes);
    return true;
  case GENERATE_power_law:
    edge->src = draw_power_law(s);
    edge->dst = draw_power_law(s);
    return true;
  case GENERATE_rmat: return draw_rmat(s, edge);
  }
  return false;
}

/* Draws until an edge is acceptable. Gives up for options that give almost only self loops or ends
 * outside of the nodes. */
static status draw_fitting(end_source *s, int64_t wanted, int64_t *failures, edge_record *edge) {
  bool has_no_loops = s->options->drops_loops || s->options->is_undirected;
  while (!draw_edge(s, edge) || (has_no_loops && edge->src == edge->dst))
    if (++*failures > 1000 * wanted + 100000) return refuse("these options hardly ever give an edge that is wanted");
  return STATUS_OK;
}

/* Returns the number of edges to draw; the reverses of an undirected graph are not drawn. */
static int64_t count_drawn(const generate_options *o) {
  return o->is_undirected ? o->num_edges / 2 : o->num_edges;
}

static status draw_edges(end_source *s, edge_list *list) {
  int64_t wanted = count_drawn(s->options), failures = 0;
  progress_step("draw edges", "edges", wanted);
  while (list->count < wanted) {
    edge_record edge = {0};
    RETURN_IF_ERROR(draw_fitting(s, wanted, &failures, &edge));
    RETURN_IF_ERROR(edge_list_add(list, edge));
    if (!(list->count & 0xFFFF)) progress_set(list->count);
  }
  return STATUS_OK;
}

/* Makes edges without types and weights. */
static status make_pairs(end_source *s, tensor_set *set) {
  const generate_options *o = s->options;
  int64_t wanted = count_drawn(o), failures = 0;
  edge_pair *pairs = malloc((size_t)o->num_edges * sizeof *pairs + 1);
  if (!pairs) return status_error(STATUS_CODE_memory, "%" PRId64 " edges do not fit into memory", o->num_edges);
  huge_pages_advise(pairs, (size_t)o->num_edges * sizeof *pairs);
  progress_step("draw edges", "edges", wanted);
  for (int64_t e = 0; e < wanted; e++) {
    if (!(e & 0xFFFF)) progress_set(e);
    edge_record edge = {0};
    status failed = draw_fitting(s, wanted, &failures, &edge);
    if (failed) {
      free(pairs);
      return failed;
    }
    pairs[e] = (edge_pair){(int32_t)edge.src, (int32_t)edge.dst};
    if (o->is_undirected) pairs[wanted + e] = (edge_pair){(int32_t)edge.dst, (int32_t)edge.src};
  }
  return edge_pairs_finish(pairs, o->num_edges, o->num_nodes, o->pool, set);
}

/* Makes edges with types or weights. */
static status make_records(end_source *s, tensor_set *set) {
  const generate_options *o = s->options;
  edge_list list = {.has_types = o->num_edge_types > 0, .has_weights = o->has_weights, .num_types = o->num_edge_types};
  status result = draw_edges(s, &list);
  random_state types = random_create(o->seed, PURPOSE_types), weights = random_create(o->seed, PURPOSE_weights);
  for (int64_t e = 0; e < list.count; e++) {
    if (list.has_types) list.edges[e].type = (int32_t)random_below(&types, (uint64_t)o->num_edge_types);
    if (list.has_weights) list.edges[e].weight = generate_positive(&weights);
  }
  /* A reverse has the type of its edge, so that the number of types is the requested one. */
  int64_t drawn = list.count;
  for (int64_t e = 0; e < drawn && o->is_undirected && !result; e++) {
    edge_record reverse = list.edges[e];
    reverse.src = list.edges[e].dst;
    reverse.dst = list.edges[e].src;
    result = edge_list_add(&list, reverse);
  }
  if (!result) result = edge_list_finish(&list, o->num_nodes, &(import_options){.pool = o->pool}, set);
  edge_list_free(&list);
  return result;
}

static status make_edges(const generate_options *o, tensor_set *set) {
  end_source s = {.options = o, .random = random_create(o->seed, PURPOSE_edges)};
  arena *a = arena_create();
  if (o->kind == GENERATE_rmat) prepare_rmat(&s);
  status result = o->kind == GENERATE_power_law && o->num_nodes ? prepare_power_law(&s, a) : STATUS_OK;
  bool is_plain = o->num_edge_types == 0 && !o->has_weights;
  if (!result) result = is_plain ? make_pairs(&s, set) : make_records(&s, set);
  arena_destroy(a);
  return result;
}

status generate_graph(const generate_options *options, tensor_set **out) {
  static const char *const kinds[] = {"uniform", "power-law", "rmat"};
  tensor_set *set = tensor_set_create("generated graph");
  status s = check_options(options);
  if (!s) s = make_edges(options, set);
  if (!s) progress_step("draw nodes", NULL, 0);
  if (!s) s = generate_node_tensors(options, set);
  if (!s) {
    tensor_set_put_metadata(set, "kind", kinds[options->kind]);
    tensor_set_put_metadata(set, "seed", arena_printf(set->memory, "%" PRIu64, options->seed));
  }
  *out = s ? NULL : set;
  if (s) tensor_set_destroy(set);
  return s;
}
