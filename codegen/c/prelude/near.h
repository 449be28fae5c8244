/* Edge sets that are made while the model runs: from the nodes that are near each node, in space or along edges, or from the edges of another set. See real.h for
 * how parts are used. */
#include "codegen/c/prelude/gemm.h"
#include "codegen/c/prelude/graph.h"

#include <math.h>

//@ run_edges
/* The arrays of a set that is being made, by destination; those that the model does not use are NULL. */
typedef struct run_edges {
  int64_t *in_ptr;    /* [num_nodes + 1] */
  int32_t *src, *dst; /* [room for edges] */
  int32_t *base;      /* number in the set that it is made from, -1 for new loops */
  int64_t *out_ptr;   /* [num_nodes + 1] */
  int32_t *out_dst, *out_position;
} run_edges;

//@ finish_edges
/* Fills the arrays that follow from in_ptr and src; returns the number of edges. */
static int64_t finish_edges(int64_t num_nodes, const run_edges *to) {
  const int64_t count = to->in_ptr[num_nodes];
  for (int64_t n = 0; to->dst && n < num_nodes; n++)
    for (int64_t p = to->in_ptr[n]; p < to->in_ptr[n + 1]; p++) to->dst[p] = (int32_t)n;
  if (!to->out_ptr) return count;
  int64_t *const ptr = to->out_ptr;
  for (int64_t n = 0; n <= num_nodes; n++) ptr[n] = 0;
  for (int64_t p = 0; p < count; p++) ptr[to->src[p] + 1]++;
  for (int64_t n = 0; n < num_nodes; n++) ptr[n + 1] += ptr[n];
  for (int64_t n = 0; n < num_nodes; n++)
    for (int64_t p = to->in_ptr[n]; p < to->in_ptr[n + 1]; p++) {
      const int64_t at = ptr[to->src[p]]++;
      to->out_dst[at] = (int32_t)n;
      to->out_position[at] = (int32_t)p;
    }
  for (int64_t n = num_nodes; n > 0; n--) ptr[n] = ptr[n - 1];
  ptr[0] = 0;
  return count;
}

//@ near_set
/* A set with edges from near nodes as it is made. Nodes stand in the order of their graphs, "entries"; columns of NEAR_LANES consecutive
 * entries stand together, so that distances to them are computed at once. */
enum { NEAR_LANES = 2 * LANES, NEAR_ROWS = 4 };
typedef struct near_set {
  const gnnc_context *context;
  const edge_set *of;
  int64_t num_graphs, width, most;
  int has_loops, has_radius;
  double radius;
  const real *value; /* [num_nodes, width] */
  const real *among; /* [num_nodes] 0 at nodes that are no sources; NULL: all are */
  real *packed;      /* [blocks of NEAR_LANES entries, width, NEAR_LANES] */
  real *distance;    /* [room for edges]; NULL with a radius */
  run_edges to;
  int64_t parts;
} near_set;

//@ near_pack_part
static void near_pack_part(void *data, int64_t part) {
  const near_set *s = (const near_set *)data;
  const int64_t nodes = s->of->num_nodes, blocks = (nodes + NEAR_LANES - 1) / NEAR_LANES;
  for (int64_t b = blocks * part / s->parts; b < blocks * (part + 1) / s->parts; b++)
    for (int64_t l = 0; l < NEAR_LANES; l++) {
      const int64_t entry = b * NEAR_LANES + l < nodes ? b * NEAR_LANES + l : nodes - 1;
      const real *const x = s->value + (int64_t)s->of->graph_order[entry] * s->width;
      for (int64_t f = 0; f < s->width; f++) s->packed[(b * s->width + f) * NEAR_LANES + l] = x[f];
    }
}

//@ near_distances
/* Squared distances of NEAR_ROWS rows to the entries of a block. A sum is in the order of the columns. */
static inline void near_distances(int64_t width, const real *const *x, const real *block, real (*to)[NEAR_LANES]) {
#if defined(__GNUC__)
  const wide minus = (wide){0} - 1;
  wide sum[NEAR_ROWS][2];
  UNROLL
  for (int r = 0; r < NEAR_ROWS; r++) sum[r][0] = sum[r][1] = (wide){0};
  for (int64_t f = 0; f < width; f++, block += NEAR_LANES) {
    const wide y0 = *(const wide_memory *)block, y1 = *(const wide_memory *)(block + LANES);
    UNROLL
    for (int r = 0; r < NEAR_ROWS; r++) {
      wide d0 = y0, d1 = y1;
      ADD_PRODUCT(wide, d0, x[r][f], minus);
      ADD_PRODUCT(wide, d1, x[r][f], minus);
      sum[r][0] += d0 * d0;
      sum[r][1] += d1 * d1;
    }
  }
  UNROLL
  for (int r = 0; r < NEAR_ROWS; r++) {
    *(wide_memory *)to[r] = sum[r][0];
    *(wide_memory *)(to[r] + LANES) = sum[r][1];
  }
#else
  for (int r = 0; r < NEAR_ROWS; r++)
    for (int l = 0; l < NEAR_LANES; l++) {
      to[r][l] = 0;
      for (int64_t f = 0; f < width; f++) {
        const real d = block[f * NEAR_LANES + l] - x[r][f];
        to[r][l] += d * d;
      }
    }
#endif
}

//@ near_row
/* The neighbours of one node so far. Only a distance below the limit can change them, or any while is_open: there is room, or the
 * farthest is at no place. */
typedef struct near_row {
  int64_t node, count, most;
  real limit;
  int is_open;
  real *distance; /* [most] in order; NULL with a radius */
  int32_t *near;  /* [most] */
} near_row;

//@ near_insert
/* Puts a node behind those that are at most as far; what was last falls out when there are `most`. NaN is farther than everything. */
static inline void near_insert(near_row *r, real d, int32_t node) {
  int64_t at = r->count < r->most ? r->count++ : r->most - 1;
  for (; at > 0 && (d < r->distance[at - 1] || (d == d && r->distance[at - 1] != r->distance[at - 1])); at--) {
    r->distance[at] = r->distance[at - 1];
    r->near[at] = r->near[at - 1];
  }
  r->distance[at] = d;
  r->near[at] = node;
  if (r->count < r->most) return;
  r->limit = r->distance[r->most - 1];
  r->is_open = r->limit != r->limit;
}

//@ is_near_source
static inline int is_near_source(const near_set *s, int32_t node) {
  return !s->among || s->among[node] != 0;
}

//@ near_take
/* Looks at the entries first .. end - 1, whose distances are d[first - base] and so on. */
static inline void near_take(const near_set *s, near_row *r, const real *d, int64_t base, int64_t first, int64_t end) {
  int any = r->is_open;
  for (int l = 0; l < NEAR_LANES; l++) any |= d[l] < r->limit;
  if (!any) return;
  for (int64_t e = first; e < end; e++) {
    const int32_t node = s->of->graph_order[e];
    const real x = d[e - base];
    if (!(x < r->limit) && !(r->is_open && (r->count < r->most || x == x))) continue;
    if ((node == r->node && !s->has_loops) || !is_near_source(s, node)) continue;
    if (r->distance)
      near_insert(r, x, node);
    else if (r->count < r->most)
      r->near[r->count++] = node;
  }
}

//@ open_row
static inline near_row open_row(const near_set *s, int64_t node) {
  near_row r = {.node = node, .most = s->most};
  if (s->has_radius) {
    r.limit = (real)(s->radius * s->radius);
    r.near = s->to.src + node * s->most;
    return r;
  }
  const int64_t at = s->to.in_ptr[node];
  r.most = s->to.in_ptr[node + 1] - at;
  r.is_open = r.most > 0;
  r.limit = -1;
  r.distance = s->distance + at;
  r.near = s->to.src + at;
  return r;
}

//@ near_part
static void near_part(void *data, int64_t part) {
  const near_set *s = (const near_set *)data;
  const edge_set *of = s->of;
  const int64_t end = of->num_nodes * (part + 1) / s->parts;
  for (int64_t t = of->num_nodes * part / s->parts; t < end;) {
    const int32_t graph = of->batch[of->graph_order[t]];
    const int64_t first = of->graph_ptr[graph], last = of->graph_ptr[graph + 1];
    const int64_t left = end < last ? end - t : last - t, rows = left < NEAR_ROWS ? left : NEAR_ROWS;
    const real *x[NEAR_ROWS];
    near_row row[NEAR_ROWS];
    real d[NEAR_ROWS][NEAR_LANES];
    for (int64_t r = 0; r < NEAR_ROWS; r++) {
      const int32_t node = of->graph_order[t + (r < rows ? r : 0)];
      x[r] = s->value + (int64_t)node * s->width;
      row[r] = open_row(s, node);
    }
    for (int64_t base = first / NEAR_LANES * NEAR_LANES; base < last; base += NEAR_LANES) {
      near_distances(s->width, x, s->packed + base * s->width, d);
      const int64_t from = base < first ? first : base, to = base + NEAR_LANES < last ? base + NEAR_LANES : last;
      for (int64_t r = 0; r < rows; r++) near_take(s, &row[r], d[r], base, from, to);
    }
    for (int64_t r = 0; s->has_radius && r < rows; r++) s->to.in_ptr[row[r].node + 1] = row[r].count;
    t += rows;
  }
}

//@ near_count
/* Makes in_ptr of a set without a radius: of each graph's sources, but not of itself without loops, a node has edges from `most`. */
static void near_count(const near_set *s) {
  const edge_set *of = s->of;
  int64_t *const ptr = s->to.in_ptr;
  for (int64_t first = 0; first < of->num_nodes;) {
    const int64_t end = of->graph_ptr[of->batch[of->graph_order[first]] + 1];
    int64_t sources = 0;
    for (int64_t t = first; t < end; t++) sources += is_near_source(s, of->graph_order[t]);
    for (; first < end; first++) {
      const int32_t node = of->graph_order[first];
      const int64_t others = sources - (!s->has_loops && is_near_source(s, node));
      ptr[node + 1] = others < s->most ? others : s->most;
    }
  }
  for (int64_t n = 0; n < of->num_nodes; n++) ptr[n + 1] += ptr[n];
}

//@ near_edges
/* Compares all pairs of nodes of each graph. Returns the number of edges. */
static int64_t near_edges(near_set *s) {
  const edge_set *of = s->of;
  const int64_t nodes = of->num_nodes;
  const double work = (double)nodes * (double)nodes / (double)(s->num_graphs ? s->num_graphs : 1) * (double)s->width;
  s->parts = work < (1 << 20) || nodes < 32 ? 1 : nodes / 16 < 1024 ? nodes / 16 : 1024;
  int64_t *const ptr = s->to.in_ptr;
  ptr[0] = 0;
  if (!s->has_radius) near_count(s);
  for_parts(s->context, s->parts, near_pack_part, s);
  for_parts(s->context, s->parts, near_part, s);
  for (int64_t n = 0; s->has_radius && n < nodes; n++) {
    const int64_t count = ptr[n + 1];
    memmove(s->to.src + ptr[n], s->to.src + n * s->most, (size_t)count * sizeof *s->to.src);
    ptr[n + 1] = ptr[n] + count;
  }
  return finish_edges(nodes, &s->to);
}

//@ power_set
/* A set with an edge for each pair of nodes with a path of `most` edges at most, as it is found. */
typedef struct power_set {
  const edge_set *of; /* its edges are stored by destination */
  int64_t most;
  int32_t *met_for; /* [num_nodes] the last node whose search met this one, plus 1 */
  int32_t *queue;   /* [num_nodes] nodes that this search has met */
  run_edges to;     /* no arrays: the edges are only counted */
} power_set;

//@ power_edges
/* Searches breadth first against the edges of each node. Returns the number of edges. */
static int64_t power_edges(const power_set *s) {
  const edge_set *of = s->of;
  int64_t count = 0;
  for (int64_t n = 0; n < of->num_nodes; n++) s->met_for[n] = 0;
  for (int64_t n = 0; n < of->num_nodes; n++) {
    const int32_t mark = (int32_t)n + 1;
    int64_t first = 0, met = 1;
    s->queue[0] = (int32_t)n;
    s->met_for[n] = mark;
    for (int64_t length = 0; length < s->most && first < met; length++)
      for (const int64_t end = met; first < end; first++)
        for (int64_t p = of->in_ptr[s->queue[first]]; p < of->in_ptr[s->queue[first] + 1]; p++) {
          if (s->met_for[of->src[p]] == mark) continue;
          s->met_for[of->src[p]] = mark;
          s->queue[met++] = of->src[p];
        }
    if (s->to.in_ptr) {
      s->to.in_ptr[n] = count;
      memcpy(s->to.src + count, s->queue + 1, (size_t)(met - 1) * sizeof *s->queue);
    }
    count += met - 1;
    if (count > INT32_MAX) return count; /* too many: the search ends */
  }
  if (!s->to.in_ptr) return count;
  s->to.in_ptr[of->num_nodes] = count;
  return finish_edges(of->num_nodes, &s->to);
}

//@ edge_filter
/* A set that is made from some of the edges of another one, and from new self loops. */
typedef struct edge_filter {
  const edge_set *of; /* its edges are stored by destination */
  const real *mask;   /* [num_nodes] edges stay where both ends have another number than 0; NULL for self loops */
  int most, adds;     /* as in loop_set */
  run_edges to;
} edge_filter;

//@ filter_edges
/* The kept edges of each node in their order, then its new loop. Returns the number of edges. */
static int64_t filter_edges(const edge_filter *s) {
  const edge_set *of = s->of;
  int64_t count = 0;
  for (int64_t n = 0; n < of->num_nodes; n++) {
    int64_t last = -1; /* stored loop */
    for (int64_t p = of->in_ptr[n]; !s->mask && p < of->in_ptr[n + 1]; p++)
      if (of->src[p] == n) last = p;
    s->to.in_ptr[n] = count;
    for (int64_t p = of->in_ptr[n]; p < of->in_ptr[n + 1]; p++) {
      const int is_kept = s->mask ? s->mask[n] != 0 && s->mask[of->src[p]] != 0
                                  : of->src[p] != n || s->most < 0 || (s->most && p == last);
      if (!is_kept) continue;
      if (s->to.base) s->to.base[count] = of->number ? of->number[p] : (int32_t)p;
      s->to.src[count++] = of->src[p];
    }
    if (s->mask || !s->adds || (s->most && last >= 0)) continue;
    if (s->to.base) s->to.base[count] = -1;
    s->to.src[count++] = (int32_t)n;
  }
  s->to.in_ptr[of->num_nodes] = count;
  return finish_edges(of->num_nodes, &s->to);
}

//@ top_set
/* The nodes with the largest scores of each graph as they are chosen. */
typedef struct top_set {
  const gnnc_context *context;
  const edge_set *of;
  int64_t num_graphs;
  float ratio;               /* of the nodes */
  int64_t most;              /* how many nodes; 0: ratio says it */
  const real *score, *among; /* [num_nodes]; among: nodes that take part; NULL for all */
  int32_t *order;            /* [num_nodes] */
  real *to;                  /* [num_nodes] */
  int64_t parts;
} top_set;

//@ is_higher
/* Whether node a comes before b: NaN first, then the larger score, then the smaller number. */
static inline int is_higher(const real *score, int32_t a, int32_t b) {
  const real x = score[a], y = score[b];
  if ((x != x) != (y != y)) return x != x;
  return x > y || (!(y > x) && a < b);
}

//@ sink_node
/* Restores the heap below a place; its top is the node that comes last. */
static void sink_node(const real *score, int32_t *heap, int64_t at, int64_t count) {
  for (int64_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && is_higher(score, heap[child], heap[child + 1])) child++;
    if (!is_higher(score, heap[at], heap[child])) return;
    const int32_t node = heap[at];
    heap[at] = heap[child];
    heap[child] = node;
  }
}

//@ top_part
static void top_part(void *data, int64_t part) {
  const top_set *s = (const top_set *)data;
  for (int64_t g = s->num_graphs * part / s->parts; g < s->num_graphs * (part + 1) / s->parts; g++) {
    int32_t *const heap = s->order + s->of->graph_ptr[g];
    int64_t count = 0, kept = 0;
    for (int64_t e = s->of->graph_ptr[g]; e < s->of->graph_ptr[g + 1]; e++) {
      const int32_t n = s->of->graph_order[e];
      s->to[n] = 0;
      if (!s->among || s->among[n] != 0) count++;
    }
    const float share = s->ratio * (float)count;
    const int64_t wanted = s->most ? s->most : (int64_t)ceil((double)share), most = wanted < count ? wanted : count;
    for (int64_t e = s->of->graph_ptr[g]; most && e < s->of->graph_ptr[g + 1]; e++) {
      const int32_t n = s->of->graph_order[e];
      if (s->among && s->among[n] == 0) continue;
      if (kept < most) {
        heap[kept++] = n;
        for (int64_t at = kept / 2; kept == most && at-- > 0;) sink_node(s->score, heap, at, kept);
      } else if (is_higher(s->score, n, heap[0])) {
        heap[0] = n;
        sink_node(s->score, heap, 0, kept);
      }
    }
    for (int64_t i = 0; i < kept; i++) s->to[heap[i]] = 1;
  }
}

//@ choose_top
static void choose_top(top_set *s) {
  s->parts = s->of->num_nodes < 16384 ? 1 : s->num_graphs < 1024 ? s->num_graphs : 1024;
  if (s->num_graphs) for_parts(s->context, s->parts, top_part, s);
}
