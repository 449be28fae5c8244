/* The rows of an exchange as messages: all rows of the first value, then all of the second, and so on. Both engines use this text,
 * the module for MPI without any function of the library. */
#ifndef GNNC_RUNTIME_COMM_COMM_VALUES_H
#define GNNC_RUNTIME_COMM_COMM_VALUES_H

#include "data/cells/cells_part.h"
#include "runtime/gnnc/abi.h"

#include <stdbool.h>
#include <string.h>

enum { COMM_MOST_VALUES = 16 };

typedef struct comm_values {
  gnnc_node_rows items[COMM_MOST_VALUES];
  int32_t count;
  size_t row_bytes; /* of all */
} comm_values;

/* False where there are too many values, or none. */
static inline bool comm_values_set(comm_values *v, const gnnc_node_rows *values, int32_t count) {
  v->count = 0;
  v->row_bytes = 0;
  if (count < 1 || count > COMM_MOST_VALUES) return false;
  for (; v->count < count; v->count++) {
    v->items[v->count] = values[v->count];
    v->row_bytes += values[v->count].row_bytes;
  }
  return true;
}

/* Packs the rows for a neighbour; `to` has room for num_sent * row_bytes. */
static inline void comm_values_pack(const comm_values *v, const cells_neighbour *n, char *to) {
  for (int32_t i = 0; i < v->count; i++) {
    const size_t width = v->items[i].row_bytes;
    const char *from = v->items[i].data;
    for (int64_t k = 0; k < n->num_sent; k++, to += width) memcpy(to, from + (size_t)n->sent[k] * width, width);
  }
}

/* Copies what came from a neighbour to the rows of ghosts. */
static inline void comm_values_unpack(const comm_values *v, const cells_neighbour *n, const char *from) {
  for (int32_t i = 0; i < v->count; i++) {
    const size_t width = v->items[i].row_bytes, bytes = (size_t)n->num_received * width;
    if (bytes) memcpy((char *)v->items[i].data + (size_t)n->first_received * width, from, bytes);
    from += bytes;
  }
}

/* The row of an edge of the part. */
static inline char *comm_values_edge(void *rows, size_t row_bytes, const int32_t *places, int32_t edge) {
  return (char *)rows + (size_t)(places ? places[edge] : edge) * row_bytes;
}

/* Packs the rows of edges from a neighbour's nodes for it; `to` has room for num_edges_sent * row_bytes. */
static inline void comm_values_pack_edges(const cells_neighbour *n, void *rows, size_t row_bytes, const int32_t *places,
                                          char *to) {
  for (int64_t k = 0; k < n->num_edges_sent; k++)
    memcpy(to + (size_t)k * row_bytes, comm_values_edge(rows, row_bytes, places, n->edges_sent[k]), row_bytes);
}

/* Copies what came from a neighbour to the rows of edges into its nodes. */
static inline void comm_values_unpack_edges(const cells_neighbour *n, void *rows, size_t row_bytes,
                                            const int32_t *places, const char *from) {
  for (int64_t k = 0; k < n->num_edges_received; k++)
    memcpy(comm_values_edge(rows, row_bytes, places, n->edges_received[k]), from + (size_t)k * row_bytes, row_bytes);
}

/* ---- transpositions ---- */

/* Rows of own nodes that become strips of columns of all nodes, or strips that become rows. A message between two ranks has strip after
 * strip, in each the nodes in their order. */
typedef struct comm_transposition {
  const cells_part *part;
  const char *from;
  char *to;
  size_t strip_bytes;
  int32_t strips;
  bool to_rows;
} comm_transposition;

static inline int64_t comm_transposition_strips(const comm_transposition *t, int32_t rank) {
  return cells_part_count_strips(t->strips, rank, t->part->ranks);
}

/* The strips of nodes in the messages to and from a neighbour. */
static inline int64_t comm_transposition_sent(const comm_transposition *t, const cells_neighbour *n) {
  return t->to_rows ? comm_transposition_strips(t, t->part->rank) * n->num_received
                    : comm_transposition_strips(t, n->rank) * t->part->num_own;
}
static inline int64_t comm_transposition_received(const comm_transposition *t, const cells_neighbour *n) {
  return t->to_rows ? comm_transposition_strips(t, n->rank) * t->part->num_own
                    : comm_transposition_strips(t, t->part->rank) * n->num_received;
}

/* Where strip `number` of own node 0 is among rows, and where it is among the rank's strips of all nodes. */
static inline size_t comm_transposition_in_row(const comm_transposition *t, int64_t number) {
  return (size_t)number * t->strip_bytes;
}
typedef struct comm_strip {
  size_t at, stride; /* of node 0, and from node to node */
} comm_strip;
static inline comm_strip comm_transposition_find_strip(const comm_transposition *t, int64_t number) {
  const int64_t count = comm_transposition_strips(t, t->part->rank), nodes = t->part->num_own + t->part->num_ghosts;
  const int64_t wanted = number - cells_part_first_strip(t->strips, t->part->rank, t->part->ranks);
  int64_t group = 1, before = 0;
  while (2 * group <= count) group *= 2;
  for (; group > 1; group /= 2) { /* a group holds the strips from `before` on, if the count has its digit */
    if (!(count & group)) continue;
    if (wanted < before + group) break;
    before += group;
  }
  return (comm_strip){(size_t)(before * nodes + (wanted - before)) * t->strip_bytes, (size_t)group * t->strip_bytes};
}

/* Packs the strips that a rank has of own rows, and puts those of a rank into own rows. */
static inline void comm_transposition_pack_rows(const comm_transposition *t, int32_t rank, char *to) {
  const size_t width = t->strip_bytes, row_bytes = (size_t)t->strips * width;
  const int64_t first = cells_part_first_strip(t->strips, rank, t->part->ranks);
  for (int64_t s = first; s < first + comm_transposition_strips(t, rank); s++) {
    const char *from = t->from + comm_transposition_in_row(t, s);
    for (int64_t k = 0; k < t->part->num_own; k++, to += width) memcpy(to, from + (size_t)k * row_bytes, width);
  }
}
static inline void comm_transposition_unpack_rows(const comm_transposition *t, int32_t rank, const char *from) {
  const size_t width = t->strip_bytes, row_bytes = (size_t)t->strips * width;
  const int64_t first = cells_part_first_strip(t->strips, rank, t->part->ranks);
  for (int64_t s = first; s < first + comm_transposition_strips(t, rank); s++) {
    char *to = t->to + comm_transposition_in_row(t, s);
    for (int64_t k = 0; k < t->part->num_own; k++, from += width) memcpy(to + (size_t)k * row_bytes, from, width);
  }
}

/* Copies nodes of the rank's strips to a message, and from one. */
static inline void comm_transposition_pack_strips(const comm_transposition *t, const cells_neighbour *n, char *to) {
  const int64_t first = cells_part_first_strip(t->strips, t->part->rank, t->part->ranks);
  const size_t width = t->strip_bytes;
  for (int64_t s = first; s < first + comm_transposition_strips(t, t->part->rank); s++) {
    const comm_strip strip = comm_transposition_find_strip(t, s);
    const char *from = t->from + strip.at + (size_t)n->first_received * strip.stride;
    for (int64_t k = 0; k < n->num_received; k++, to += width) memcpy(to, from + (size_t)k * strip.stride, width);
  }
}
static inline void comm_transposition_unpack_strips(const comm_transposition *t, const cells_neighbour *n,
                                                    const char *from) {
  const int64_t first = cells_part_first_strip(t->strips, t->part->rank, t->part->ranks);
  const size_t width = t->strip_bytes;
  for (int64_t s = first; s < first + comm_transposition_strips(t, t->part->rank); s++) {
    const comm_strip strip = comm_transposition_find_strip(t, s);
    char *to = t->to + strip.at + (size_t)n->first_received * strip.stride;
    for (int64_t k = 0; k < n->num_received; k++, from += width) memcpy(to + (size_t)k * strip.stride, from, width);
  }
}

static inline void comm_transposition_pack(const comm_transposition *t, const cells_neighbour *n, char *to) {
  if (t->to_rows)
    comm_transposition_pack_strips(t, n, to);
  else
    comm_transposition_pack_rows(t, n->rank, to);
}
static inline void comm_transposition_unpack(const comm_transposition *t, const cells_neighbour *n, const char *from) {
  if (t->to_rows)
    comm_transposition_unpack_rows(t, n->rank, from);
  else
    comm_transposition_unpack_strips(t, n, from);
}

/* The rank's own strips of its own rows, which no message has. */
static inline void comm_transposition_keep(const comm_transposition *t) {
  const int64_t first = cells_part_first_strip(t->strips, t->part->rank, t->part->ranks);
  const size_t width = t->strip_bytes, row_bytes = (size_t)t->strips * width;
  for (int64_t s = first; s < first + comm_transposition_strips(t, t->part->rank); s++) {
    const comm_strip strip = comm_transposition_find_strip(t, s);
    for (int64_t k = 0; k < t->part->num_own; k++) {
      const size_t in_row = comm_transposition_in_row(t, s) + (size_t)k * row_bytes;
      const size_t in_strip = strip.at + (size_t)k * strip.stride;
      memcpy(t->to + (t->to_rows ? in_row : in_strip), t->from + (t->to_rows ? in_strip : in_row), width);
    }
  }
}

/* Describes a part to a model; the engine adds its functions. */
static inline gnnc_comm comm_values_describe(const cells_part *part) {
  return (gnnc_comm){.size = sizeof(gnnc_comm),
                     .num_ghosts = part->num_ghosts,
                     .num_interior = part->num_interior,
                     .rank = part->rank,
                     .ranks = part->ranks,
                     .cells = part->cells,
                     .cell_ptr = part->cell_ptr,
                     .cell_nodes = part->cell_nodes,
                     .has_columns = part->has_all_edges && part->ranks > 1};
}

#endif
