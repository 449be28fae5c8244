/* Edges and nodes by type: sorted, paired with their end nodes and cut into segments when a graph is bound. See real.h for how parts are
 * used. */
#include "codegen/c/prelude/graph.h"

//@ sort_by
/* Sorts numbers by key[number], or by key[through[number]], stably, eleven bits of the key at a time. Keys are not negative. */
static void sort_by(int64_t count, const int32_t *key, const int32_t *through, int32_t *order, int32_t *other) {
  uint32_t bits = 0;
  for (int64_t i = 0; i < count; i++) bits |= (uint32_t)key[through ? through[i] : i];
  for (int shift = 0; shift < 32 && bits >> shift; shift += 11) {
    int32_t begin[2049] = {0};
    for (int64_t i = 0; i < count; i++) begin[((uint32_t)key[through ? through[i] : i] >> shift & 2047) + 1]++;
    for (int d = 0; d < 2047; d++) begin[d + 1] += begin[d];
    for (int64_t i = 0; i < count; i++) {
      const int32_t at = through ? through[order[i]] : order[i];
      other[begin[(uint32_t)key[at] >> shift & 2047]++] = order[i];
    }
    memcpy(order, other, (size_t)count * sizeof *order);
  }
}

//@ edge_pairs
/* The pairs of edge type and end node that occur, in order of edge type, type of the node, node; and the pairs of those two types, their
 * kinds. Arrays may be NULL where they are not kept. */
typedef struct edge_pairs {
  int64_t num_edges;
  const int32_t *edge_type, *end; /* by edge number */
  const int32_t *node_type;       /* NULL: nodes have one type */
  int64_t most_kinds;             /* that kind_etype and kind_ntype have room for */
  int32_t *order;                 /* [num_edges] edge numbers by pair, in their order within each */
  int32_t *row;                   /* [num_edges] edge number -> pair */
  int32_t *node, *type, *kind;    /* [num_edges] by pair */
  int64_t *member_ptr;            /* [num_edges + 1] pair -> its first place in order */
  int32_t *kind_etype, *kind_ntype;
  int64_t count, kinds; /* found */
} edge_pairs;

//@ find_pairs
/* Fills in the arrays; an edge of one kind too many is an error. */
static gnnc_result find_pairs(edge_pairs *p, int64_t *index) {
  int32_t last_type = -1, last_node_type = -1, last_node = -1;
  for (int64_t i = 0; i < p->num_edges; i++) p->order[i] = (int32_t)i;
  sort_by(p->num_edges, p->end, NULL, p->order, p->row);
  if (p->node_type) sort_by(p->num_edges, p->node_type, p->end, p->order, p->row);
  sort_by(p->num_edges, p->edge_type, NULL, p->order, p->row);
  p->count = p->kinds = 0;
  for (int64_t i = 0; i < p->num_edges; i++) {
    const int32_t e = p->order[i], node = p->end[e], type = p->edge_type[e];
    const int32_t node_type = p->node_type ? p->node_type[node] : 0;
    if (type != last_type || node_type != last_node_type) {
      if (p->kinds >= p->most_kinds) {
        *index = e;
        return GNNC_ERROR_TYPE_RANGE;
      }
      if (p->kind_etype) p->kind_etype[p->kinds] = type;
      if (p->kind_ntype) p->kind_ntype[p->kinds] = node_type;
      p->kinds++;
      last_node = -1;
    }
    if (node != last_node) {
      if (p->node) p->node[p->count] = node;
      if (p->type) p->type[p->count] = type;
      if (p->kind) p->kind[p->count] = (int32_t)(p->kinds - 1);
      if (p->member_ptr) p->member_ptr[p->count] = i;
      p->count++;
    }
    p->row[e] = (int32_t)(p->count - 1);
    last_type = type;
    last_node_type = node_type;
    last_node = node;
  }
  if (p->member_ptr) p->member_ptr[p->count] = p->num_edges;
  return GNNC_OK;
}

//@ group_by_type
/* Rows of type t are order[ptr[t]] .. order[ptr[t + 1] - 1], in their order; rows of types from num_types on are left out. A NULL order:
 * rows are grouped already. */
static void group_by_type(int64_t num_types, int64_t count, const int32_t *type, int64_t *ptr, int32_t *order) {
  for (int64_t t = 0; t <= num_types; t++) ptr[t] = 0;
  for (int64_t i = 0; i < count; i++)
    if (type[i] < num_types) ptr[type[i] + 1]++;
  for (int64_t t = 0; t < num_types; t++) ptr[t + 1] += ptr[t];
  if (!order) return;
  for (int64_t i = 0; i < count; i++)
    if (type[i] < num_types) order[ptr[type[i]]++] = (int32_t)i;
  for (int64_t t = num_types; t > 0; t--) ptr[t] = ptr[t - 1];
  ptr[0] = 0;
}

//@ number_places
/* place[n]: how many nodes of the type of n come before it. */
static void number_places(int64_t num_types, const int64_t *ptr, const int32_t *order, int32_t *place) {
  for (int64_t t = 0; t < num_types; t++)
    for (int64_t i = ptr[t]; i < ptr[t + 1]; i++) place[order[i]] = (int32_t)(i - ptr[t]);
}
