/* The part of a graph that one rank computes: its nodes by cell, the edges into them, or all edges at them, and what it exchanges. */
#ifndef GNNC_DATA_CELLS_CELLS_PART_H
#define GNNC_DATA_CELLS_CELLS_PART_H

#include "data/cells/cells.h"

/* What a rank exchanges with another one. Both ranks have the rows in the same order. */
typedef struct cells_neighbour {
  int32_t rank;
  int64_t num_sent, num_received;
  int32_t *sent;          /* [num_sent] own nodes, in local numbers: the other rank has them as ghosts */
  int64_t first_received; /* the ghosts of the other rank are the local nodes from here on */
  /* Of a part with the edges out of own nodes: edges between the two ranks, in local numbers and in the order of the graph, and so in
   * the same one on both. The rank with the destination sends the value of an edge, the rank with the source receives it. */
  int64_t num_edges_sent, num_edges_received;
  int32_t *edges_sent;     /* [num_edges_sent] from ghosts of the other rank */
  int32_t *edges_received; /* [num_edges_received] into ghosts of the other rank */
} cells_neighbour;

/* Which edges a part has. */
typedef enum cells_edges {
  CELLS_EDGES_in,   /* into own nodes */
  CELLS_EDGES_both, /* and out of own nodes */
  CELLS_EDGES_all   /* of the graph; then all nodes of other ranks are ghosts, and all ranks are neighbours */
} cells_edges;

/* Local numbers: own nodes come first, those whose edges all have own nodes as other ends (the interior) before the
 * others, then ghosts, by the rank that owns them. In each of the three groups nodes have the order of the graph. */
typedef struct cells_part {
  int32_t rank, ranks;
  bool has_all_edges;
  int64_t num_interior, num_own, num_ghosts;
  int64_t *number; /* [num_own + num_ghosts] number of each node in the graph */
  int32_t *cell;   /* [num_own] */
  int64_t num_edges;
  int64_t *edge; /* [num_edges] number in the graph of each edge, in the order of the graph, so that sums over edges
                       * have the bits of the whole graph */
  int32_t *src, *dst;         /* [num_edges] in local numbers */
  int64_t num_edges_received; /* from all neighbours together */
  int32_t num_neighbours;
  cells_neighbour *neighbours; /* [num_neighbours] ranks with which rows are exchanged, ascending */
  int32_t *cells;              /* [ranks + 1] rank r has cells cells[r] .. cells[r + 1] - 1 */
  int64_t *cell_ptr;           /* [cells[ranks] + 1] own nodes of a cell: its entries of cell_nodes */
  int32_t *cell_nodes;         /* [num_own] own nodes by cell, in the order of the graph */
} cells_part;

/* Makes the part of a rank; the caller frees it with cells_part_free, also after a failure. Every rank makes its own
 * part from the whole graph and the same cells, without talking to others. 1 <= ranks <= c->count. O(V + E) time, and
 * O(C log C) for C edges between ranks. Fails when memory is out. */
status cells_part_make(const graph *g, const cells *c, int32_t rank, int32_t ranks, cells_edges edges, cells_part *out);
void cells_part_free(cells_part *p);

/* Moves the arrays into an arena, which owns them from now on: cells_part_free is not called any more. */
void cells_part_move(cells_part *p, arena *a);

/* The bytes that a rank receives when rows of so many bytes are exchanged once: num_ghosts * row_bytes. */
static inline int64_t cells_part_received_bytes(const cells_part *p, int64_t row_bytes) {
  return p->num_ghosts * row_bytes;
}

/* The numbers of the strips of columns that a rank has of so many. */
static inline int64_t cells_part_first_strip(int32_t strips, int32_t rank, int32_t ranks) {
  return (int64_t)strips * rank / ranks;
}
static inline int64_t cells_part_count_strips(int32_t strips, int32_t rank, int32_t ranks) {
  return cells_part_first_strip(strips, rank + 1, ranks) - cells_part_first_strip(strips, rank, ranks);
}

/* The same where rows are transposed once: of its strips the numbers of other nodes, or of its nodes those of other strips. */
static inline int64_t cells_part_transposed_bytes(const cells_part *p, int64_t strip_bytes, int32_t strips,
                                                  bool to_rows) {
  const int64_t mine = cells_part_count_strips(strips, p->rank, p->ranks);
  return (to_rows ? (strips - mine) * p->num_own : mine * p->num_ghosts) * strip_bytes;
}

/* The same where rows of edges are exchanged once: those out of own nodes into ghosts. */
static inline int64_t cells_part_received_edge_bytes(const cells_part *p, int64_t row_bytes) {
  return p->num_edges_received * row_bytes;
}

#endif
