/* Makes edge sets in the order of gnn.edge_set: the kept edges in their order,
 * then the new loops by node. The kept edges are copied only where an edge was dropped. */
#include "codegen/device/host/host_private.h"
#include "data/graph_choice.h"
#include "data/graph_opposite.h"
#include "data/graph_power.h"
#include "support/edge_mode.h"
#include "support/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_AHEAD = 1024 };

/* The self loops of a new set, by share of the threads. */
typedef struct looping {
  const host_edges *base;
  bool replaces, keeps_one, adds_none; /* what becomes of self loops */
  int32_t *last; /* [nodes]: the last stored loop of each node, for keep_one; NULL where there is no loop */
  unsigned char *marks[THREAD_POOL_MOST_SHARES]; /* [nodes]: has a stored loop; NULL: none was found in this share */
  int64_t nodes;
  int64_t kept[THREAD_POOL_MOST_SHARES]; /* edges of each share that stay; then where they begin */
  bool failed[THREAD_POOL_MOST_SHARES];
  int32_t *src, *dst, *from; /* the kept edges, where edges are dropped */
} looping;

/* Returns the first self loop from edge `at` on, or `end`. */
static int64_t find_loop(const host_edges *edges, int64_t at, int64_t end) {
  while (at < end) {
    int64_t stop = number_min(end, at + LOOK_AHEAD);
    int32_t any = 0;
    for (int64_t e = at; e < stop; e++) any |= edges->src[e] == edges->dst[e];
    for (int64_t e = at; any && e < stop; e++)
      if (edges->src[e] == edges->dst[e]) return e;
    at = stop;
  }
  return end;
}

/* Whether a stored loop stays. */
static bool is_kept(const looping *l, int64_t loop) {
  return !l->replaces && (!l->last || l->last[l->base->src[loop]] == loop);
}

static void find_loops(void *user, int share, int shares) {
  looping *l = user;
  int64_t begin, end, dropped = 0;
  thread_pool_cut(l->base->count, share, shares, &begin, &end);
  for (int64_t e = find_loop(l->base, begin, end); e < end; e = find_loop(l->base, e + 1, end)) {
    if (!l->marks[share]) l->marks[share] = calloc((size_t)l->nodes, 1);
    if (!l->marks[share]) {
      l->failed[share] = true;
      return;
    }
    l->marks[share][l->base->src[e]] = 1;
    dropped += !is_kept(l, e);
  }
  l->kept[share] = end - begin - dropped;
}

static void copy_run(const looping *l, int64_t begin, int64_t end, int64_t at) {
  if (begin == end) return;
  memcpy(l->src + at, l->base->src + begin, (size_t)(end - begin) * sizeof *l->src);
  memcpy(l->dst + at, l->base->dst + begin, (size_t)(end - begin) * sizeof *l->dst);
  for (int64_t e = begin; e < end; e++) l->from[at + e - begin] = (int32_t)e;
}

/* Copies all edges but the dropped loops. */
static void copy_kept(void *user, int share, int shares) {
  const looping *l = user;
  int64_t begin, end, at = l->kept[share];
  thread_pool_cut(l->base->count, share, shares, &begin, &end);
  while (begin < end) {
    int64_t loop = find_loop(l->base, begin, end);
    while (loop < end && is_kept(l, loop)) loop = find_loop(l->base, loop + 1, end);
    copy_run(l, begin, loop, at);
    at += loop - begin;
    begin = loop + 1;
  }
}

/* Joins the marks of all shares in the first; returns the number of nodes that get a new loop. */
static int64_t count_added(looping *l) {
  for (int i = 1; i < THREAD_POOL_MOST_SHARES; i++) {
    if (!l->marks[i]) continue;
    if (l->marks[0])
      for (int64_t n = 0; n < l->nodes; n++) l->marks[0][n] |= l->marks[i][n];
    unsigned char *kept = l->marks[0];
    l->marks[0] = kept ? kept : l->marks[i];
    l->marks[i] = kept ? l->marks[i] : NULL;
  }
  int64_t count = l->adds_none ? 0 : l->nodes;
  if (!l->adds_none && l->marks[0] && !l->replaces)
    for (int64_t n = 0; n < l->nodes; n++) count -= l->marks[0][n];
  return count;
}

/* Lists the nodes that get a new loop. */
static status list_loops(program_host *h, const looping *l, int64_t added, const int32_t **out) {
  int32_t *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, added, &made));
  for (int64_t n = 0, at = 0; n < l->nodes; n++)
    if (!l->marks[0][n]) made[at++] = (int32_t)n;
  *out = made;
  return STATUS_OK;
}

/* Finds the last stored loop of each node. */
static status find_last(looping *l) {
  const host_edges *base = l->base;
  int64_t loop = find_loop(base, 0, base->count);
  if (!l->keeps_one || loop == base->count) return STATUS_OK;
  l->last = malloc((size_t)l->nodes * sizeof *l->last);
  if (!l->last) return status_error(STATUS_CODE_memory, "no memory for self loops");
  for (; loop < base->count; loop = find_loop(base, loop + 1, base->count)) l->last[base->src[loop]] = (int32_t)loop;
  return STATUS_OK;
}

static status make_loops(program_host *h, looping *l, host_edges *out) {
  RETURN_IF_ERROR(find_last(l));
  thread_pool_run(h->pool, l->base->count, find_loops, l);
  int64_t kept = 0;
  for (int i = 0; i < THREAD_POOL_MOST_SHARES; i++) {
    int64_t here = l->kept[i];
    if (l->failed[i]) return status_error(STATUS_CODE_memory, "no memory for self loops");
    l->kept[i] = kept;
    kept += here;
  }
  int64_t added = count_added(l);
  if (kept + added > INT32_MAX)
    return status_error(STATUS_CODE_unsupported,
                        "the graph with self loops has %" PRId64 " edges, at most %d are supported", kept + added,
                        INT32_MAX);
  out->count = kept + added;
  out->kept = kept;
  out->kept_src = l->base->src;
  out->kept_dst = l->base->dst;
  if (kept < l->base->count) {
    RETURN_IF_ERROR(HOST_ARRAY(h, kept, &l->src));
    RETURN_IF_ERROR(HOST_ARRAY(h, kept, &l->dst));
    RETURN_IF_ERROR(HOST_ARRAY(h, kept, &l->from));
    thread_pool_run(h->pool, l->base->count, copy_kept, l);
    out->kept_src = l->src;
    out->kept_dst = l->dst;
    out->from = l->from;
  }
  return added && added < l->nodes ? list_loops(h, l, added, &out->loop) : STATUS_OK;
}

static status change_self_loops(program_host *h, edge_mode mode, host_edges *out) {
  looping l = {.base = out->base, .nodes = h->graph->num_nodes};
  l.adds_none = !edge_mode_has_loops(mode);
  out->has_loops = !l.adds_none;
  l.replaces = edge_mode_kept_loops(mode) == 0;
  l.keeps_one = edge_mode_kept_loops(mode) == 1;
  status s = make_loops(h, &l, out);
  free(l.last);
  for (int i = 0; i < THREAD_POOL_MOST_SHARES; i++) free(l.marks[i]);
  return s;
}

/* Chooses the edges of a relation or a union. */
static status choose_edges(program_host *h, const char *mode, host_edges *out) {
  const host_edges *base = out->base;
  if (base->count && !base->type && edge_mode_types(mode))
    return status_error(STATUS_CODE_mismatch, "%s: has no 'edge_type', which the model needs", h->graph->name);
  graph_choice c = {base->count, base->src, base->dst, base->type, mode};
  int64_t count = graph_choice_edges(&c, NULL, NULL, NULL);
  if (count < 0) return status_error(STATUS_CODE_memory, "no memory for a union of the graph's edges");
  if (count > INT32_MAX)
    return status_error(STATUS_CODE_unsupported,
                        "a union of the graph's edges has %" PRId64 " edges, at most %d are supported", count,
                        INT32_MAX);
  int32_t *src, *dst, *from;
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &src));
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &dst));
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &from));
  if (graph_choice_edges(&c, src, dst, from) < 0)
    return status_error(STATUS_CODE_memory, "no memory for a union of the graph's edges");
  out->count = out->kept = count;
  out->src = out->kept_src = src;
  out->dst = out->kept_dst = dst;
  out->from = from;
  return STATUS_OK;
}

/* Makes the pairs of nodes with a path of at most `most` edges. */
static status make_power(program_host *h, int64_t most, host_edges *out) {
  const host_edges *base = out->base;
  graph_power p = {h->graph->num_nodes, base->count, base->src, base->dst, .most = most};
  int64_t count = graph_power_edges(&p, NULL, NULL);
  if (count < 0) return status_error(STATUS_CODE_memory, "no memory for the power of the graph");
  if (count > INT32_MAX)
    return status_error(STATUS_CODE_unsupported,
                        "the power of the graph has at least %" PRId64 " edges, at most %d are supported", count,
                        INT32_MAX);
  int32_t *src, *dst;
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &src));
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &dst));
  if (graph_power_edges(&p, src, dst) < 0)
    return status_error(STATUS_CODE_memory, "no memory for the power of the graph");
  out->count = out->kept = count;
  out->src = out->kept_src = src;
  out->dst = out->kept_dst = dst;
  return STATUS_OK;
}

static status make_set(program_host *h, host_edges *made) {
  const graph *g = h->graph;
  const char *dot = strrchr(made->set, '.');
  if (!dot) {
    made->count = made->kept = g->num_edges;
    made->src = made->kept_src = g->src;
    made->dst = made->kept_dst = g->dst;
    made->type = g->edge_type;
    return STATUS_OK;
  }
  const host_edges *base;
  RETURN_IF_ERROR(host_edge_set(h, arena_strndup(h->memory, made->set, (size_t)(dot - made->set)), &base));
  made->base = map_get_pointer(&h->edge_sets, base->set);
  const char *end = ir_unique_end(made->set);
  edge_mode mode = edge_mode_read(dot + 1);
  if (!end && edge_mode_is_chosen(mode)) return choose_edges(h, dot + 1, made);
  if (!end && mode.kind == EDGE_MODE_power) return make_power(h, mode.number, made);
  if (!end) return change_self_loops(h, mode, made);
  const host_kinds *kinds;
  RETURN_IF_ERROR(host_kinds_of(h, !strcmp(end, "dst"), &kinds));
  host_edges pairs = kinds->pairs;
  pairs.set = made->set;
  pairs.base = made->base;
  *made = pairs;
  return STATUS_OK;
}

status host_edge_parts(program_host *h, const char *set, const host_edges **out) {
  host_edges *made = map_get_pointer(&h->edge_sets, set);
  if (!made) {
    made = arena_alloc(h->memory, sizeof *made);
    made->set = arena_strdup(h->memory, set);
    RETURN_IF_ERROR(make_set(h, made));
    map_set_pointer(&h->edge_sets, made->set, made);
  }
  *out = made;
  return STATUS_OK;
}

/* Joins one end of the kept edges and of the new loops in one list. */
static status join_ends(program_host *h, const host_edges *edges, const int32_t *kept, const int32_t **out) {
  int32_t *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, edges->count, &made));
  if (edges->kept) memcpy(made, kept, (size_t)edges->kept * sizeof *made);
  for (int64_t i = 0; i < edges->count - edges->kept; i++)
    made[edges->kept + i] = edges->loop ? edges->loop[i] : (int32_t)i;
  *out = made;
  return STATUS_OK;
}

status host_edge_set(program_host *h, const char *set, const host_edges **out) {
  RETURN_IF_ERROR(host_edge_parts(h, set, out));
  if (!(*out)->base || (*out)->src || (*out)->dst) return STATUS_OK;
  host_edges *made = map_get_pointer(&h->edge_sets, set);
  RETURN_IF_ERROR(join_ends(h, made, made->kept_src, &made->src));
  return join_ends(h, made, made->kept_dst, &made->dst);
}

status host_opposite_edges(program_host *h, const host_edges *edges, const int32_t **out) {
  int32_t *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, edges->count, &made));
  if (!graph_opposite_edges(h->graph->num_nodes, edges->count, edges->src, edges->dst, made))
    return status_error(STATUS_CODE_memory, "no memory for the opposite edges");
  *out = made;
  return STATUS_OK;
}

status host_edges_of_rows(program_host *h, const char *rows, const host_edges **out) {
  const char *dot = strrchr(rows, '.');
  *out = NULL;
  if (!dot || strcmp(dot, ".edges") != 0) return STATUS_OK;
  return host_edge_parts(h, arena_strndup(h->memory, rows, (size_t)(dot - rows)), out);
}
