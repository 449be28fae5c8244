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

/* Describes a part to a model; the engine adds its functions. */
static inline gnnc_comm comm_values_describe(const cells_part *part) {
  return (gnnc_comm){.size = sizeof(gnnc_comm),
                     .num_ghosts = part->num_ghosts,
                     .num_interior = part->num_interior,
                     .rank = part->rank,
                     .ranks = part->ranks,
                     .cells = part->cells,
                     .cell_ptr = part->cell_ptr,
                     .cell_nodes = part->cell_nodes};
}

#endif
