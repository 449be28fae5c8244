/* Counts pairs of edge types and ends. A radix sort orders the edges by type; then the edges of
 * each type mark the nodes at their ends. Types may be any numbers below 2^31, so no array is as
 * large as the largest type.
 *
 *   edges (type: source -> target)   0: 0 -> 2   0: 0 -> 1   1: 0 -> 2
 *
 * These have 3 pairs (type, destination) and 2 pairs (type, source). */
#include "data/type_statistics.h"

#include <string.h>

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "the types of the graph do not fit into memory");
}

/* The input of the counts: edges in the order of their types, and consecutive node types. */
typedef struct census {
  arena *memory;
  const graph *graph;
  int32_t *node_type; /* [nodes] types numbered 0, 1, ... in the order of the stored types */
  int64_t node_types;
  int32_t *order; /* edges sorted by relation, source type, destination type */
  int32_t *spare; /* [edges] for sorting */
  int64_t *starts;
  int64_t *mark_src, *mark_dst, *mark_either; /* 1 + the last type that marked the node */
} census;

/* A sort key of edges or nodes: the type of the item itself, or of the node at one end of the
 * edge. */
typedef struct key {
  const int32_t *types; /* NULL: all are 0 */
  const int32_t *ends;  /* NULL: the type of the item itself */
} key;

static uint32_t key_of(const key *k, int32_t item) {
  if (!k->types) return 0;
  return (uint32_t)k->types[k->ends ? k->ends[item] : item];
}

/* One stable pass of a radix sort; it does nothing if all keys agree in this digit. */
static void sort_digit(census *c, const key *k, int shift, int32_t **from, int32_t **to, int64_t count) {
  int64_t *starts = c->starts;
  memset(starts, 0, (DIGITS + 1) * sizeof *starts);
  for (int64_t i = 0; i < count; i++) starts[(key_of(k, (int32_t)i) >> shift & (DIGITS - 1)) + 1]++;
  for (int d = 0; d < DIGITS; d++)
    if (starts[d + 1] == count) return;
  for (int d = 0; d < DIGITS; d++) starts[d + 1] += starts[d];
  for (int64_t i = 0; i < count; i++) (*to)[starts[key_of(k, (*from)[i]) >> shift & (DIGITS - 1)]++] = (*from)[i];
  int32_t *swap = *from;
  *from = *to;
  *to = swap;
}

static void sort_by(census *c, key k, int32_t **items, int32_t **spare, int64_t count) {
  if (!k.types) return;
  sort_digit(c, &k, 0, items, spare, count);
  sort_digit(c, &k, DIGIT_BITS, items, spare, count);
}

/* Numbers the node types that occur 0, 1, ..., so that there are at most as many as nodes. */
static status number_node_types(census *c) {
  const graph *g = c->graph;
  size_t nodes = (size_t)g->num_nodes;
  c->node_types = 1;
  if (!g->node_type || !nodes) return STATUS_OK;
  c->node_type = arena_try_alloc_array(c->memory, nodes, sizeof *c->node_type);
  int32_t *items = arena_try_alloc_array(c->memory, nodes, sizeof *items);
  int32_t *spare = arena_try_alloc_array(c->memory, nodes, sizeof *spare);
  if (!c->node_type || !items || !spare) return no_memory();
  for (int32_t n = 0; n < g->num_nodes; n++) items[n] = n;
  sort_by(c, (key){g->node_type, NULL}, &items, &spare, g->num_nodes);
  for (size_t i = 1; i < nodes; i++) {
    c->node_types += g->node_type[items[i]] != g->node_type[items[i - 1]];
    c->node_type[items[i]] = (int32_t)c->node_types - 1;
  }
  return STATUS_OK;
}

static status take_census(const graph *g, arena *a, census *c) {
  size_t nodes = (size_t)g->num_nodes, edges = (size_t)g->num_edges;
  if (g->num_edges > INT32_MAX) return status_error(STATUS_CODE_unsupported, "has more than %d edges", INT32_MAX);
  *c = (census){.memory = a, .graph = g};
  c->starts = arena_try_alloc_array(a, DIGITS + 1, sizeof *c->starts);
  c->order = arena_try_alloc_array(a, edges, sizeof *c->order);
  c->spare = arena_try_alloc_array(a, edges, sizeof *c->spare);
  c->mark_src = arena_try_alloc_array(a, nodes, sizeof *c->mark_src);
  c->mark_dst = arena_try_alloc_array(a, nodes, sizeof *c->mark_dst);
  c->mark_either = arena_try_alloc_array(a, nodes, sizeof *c->mark_either);
  if (!c->starts || !c->order || !c->spare || !c->mark_src || !c->mark_dst || !c->mark_either) return no_memory();
  RETURN_IF_ERROR(number_node_types(c));
  for (int64_t e = 0; e < g->num_edges; e++) c->order[e] = (int32_t)e;
  sort_by(c, (key){c->node_type, g->dst}, &c->order, &c->spare, g->num_edges);
  sort_by(c, (key){c->node_type, g->src}, &c->order, &c->spare, g->num_edges);
  sort_by(c, (key){g->edge_type, NULL}, &c->order, &c->spare, g->num_edges);
  return STATUS_OK;
}

static int32_t node_type_of(const census *c, int32_t node) {
  return c->node_type ? c->node_type[node] : 0;
}

static bool is_same_relation(const census *c, int32_t e, int32_t f) {
  return !c->graph->edge_type || c->graph->edge_type[e] == c->graph->edge_type[f];
}

static bool is_same_canonical(const census *c, int32_t e, int32_t f) {
  const graph *g = c->graph;
  return is_same_relation(c, e, f) && node_type_of(c, g->src[e]) == node_type_of(c, g->src[f]) &&
         node_type_of(c, g->dst[e]) == node_type_of(c, g->dst[f]);
}

/* Returns 1 if this type marks the item for the first time, else 0. */
static int64_t is_first(int64_t *mark, int32_t item, int64_t type) {
  bool is_new = mark[item] != type;
  mark[item] = type;
  return is_new;
}

/* One pass over the sorted edges. Types count from 1, so that a mark of 0 stands for none. */
static status count_pairs(census *c, bool is_canonical, type_counts *out) {
  const graph *g = c->graph;
  size_t nodes = (size_t)g->num_nodes, node_types = (size_t)c->node_types;
  int64_t *mark_ntype_src = arena_try_alloc_array(c->memory, node_types, sizeof *mark_ntype_src);
  int64_t *mark_ntype_dst = arena_try_alloc_array(c->memory, node_types, sizeof *mark_ntype_dst);
  if (!mark_ntype_src || !mark_ntype_dst) return no_memory();
  memset(c->mark_src, 0, nodes * sizeof *c->mark_src);
  memset(c->mark_dst, 0, nodes * sizeof *c->mark_dst);
  memset(c->mark_either, 0, nodes * sizeof *c->mark_either);
  *out = (type_counts){0};
  for (int64_t i = 0; i < g->num_edges; i++) {
    int32_t e = c->order[i], src = g->src[e], dst = g->dst[e];
    bool is_same = i && (is_canonical ? is_same_canonical : is_same_relation)(c, e, c->order[i - 1]);
    out->types += !is_same;
    out->unique_src += is_first(c->mark_src, src, out->types);
    out->unique_dst += is_first(c->mark_dst, dst, out->types);
    out->unique_either += is_first(c->mark_either, src, out->types);
    out->unique_either += is_first(c->mark_either, dst, out->types);
    out->pairs_src += is_first(mark_ntype_src, node_type_of(c, src), out->types);
    out->pairs_dst += is_first(mark_ntype_dst, node_type_of(c, dst), out->types);
  }
  return STATUS_OK;
}

/* Returns 1 + the largest entry, or 0 if there is none. */
static int64_t count_types(const int32_t *types, int64_t count) {
  int32_t most = -1;
  for (int64_t i = 0; types && i < count; i++) most = types[i] > most ? types[i] : most;
  return (int64_t)most + 1;
}

status type_statistics_collect(const graph *g, type_statistics *out) {
  *out = (type_statistics){.num_edge_types = count_types(g->edge_type, g->num_edges),
                           .num_node_types = count_types(g->node_type, g->num_nodes)};
  arena *a = arena_create();
  census c;
  status s = take_census(g, a, &c);
  if (!s) s = count_pairs(&c, false, &out->stored);
  if (!s) s = count_pairs(&c, true, &out->canonical);
  arena_destroy(a);
  return s;
}

status type_statistics_number(const graph *g, arena *a, int32_t **types, int64_t *count) {
  *types = arena_try_alloc_array(a, (size_t)g->num_edges, sizeof **types);
  *count = 0;
  arena *temporary = arena_create();
  census c;
  status s = *types ? take_census(g, temporary, &c) : no_memory();
  for (int64_t i = 0; !s && i < g->num_edges; i++) {
    *count += !i || !is_same_canonical(&c, c.order[i], c.order[i - 1]);
    (*types)[c.order[i]] = (int32_t)*count - 1;
  }
  arena_destroy(temporary);
  return s;
}

/* Puts the new types into the set in place of the old ones. */
static status put_types(tensor_set *set, int32_t *types, int64_t edges, int64_t count) {
  const tensor *old = tensor_set_find(set, "edge_type");
  if (!old) {
    void *data;
    RETURN_IF_ERROR(tensor_set_add(set, "edge_type", DTYPE_I32, 1, &edges, &data));
    if (edges) memcpy(data, types, (size_t)edges * sizeof *types);
  } else {
    tensor *t = &set->tensors[old - set->tensors];
    t->dtype = DTYPE_I32;
    t->bytes = (size_t)edges * sizeof *types;
    t->data = (const unsigned char *)types;
  }
  const char *names = tensor_set_get_metadata(set, "relations");
  if (names) tensor_set_put_metadata(set, "stored_relations", names);
  if (names) tensor_set_put_metadata(set, "relations", "one per canonical type: relation, source type, target type");
  tensor_set_put_metadata_int(set, "num_relations", count);
  if (tensor_set_get_metadata(set, "num_edge_types")) tensor_set_put_metadata_int(set, "num_edge_types", count);
  tensor_set_put_metadata_int(set, "num_canonical_edge_types", count);
  return STATUS_OK;
}

status type_statistics_canonicalize(tensor_set *set) {
  graph *g;
  RETURN_IF_ERROR(graph_create(set, &g));
  int32_t *types = NULL;
  int64_t count = 0, edges = g->num_edges;
  status s = STATUS_OK;
  if (!g->edge_type && !g->node_type)
    s = status_error(STATUS_CODE_mismatch, "%s: has neither 'edge_type' nor 'node_type', so it has no canonical types",
                     set->name);
  if (!s) s = type_statistics_number(g, set->memory, &types, &count);
  graph_close(g);
  return s ? s : put_types(set, types, edges, count);
}
