/* Ranks: how a program exchanges rows of ghosts through the functions of its context, and how ranks add up rows of all nodes, cell by
 * cell. See real.h for how parts are used. */
#include "codegen/c/prelude/contract.h"
#include "codegen/c/prelude/graph.h"

//@ context_comm
/* The ranks of a call; NULL for one rank, and for a caller of an earlier version. */
static const gnnc_comm *context_comm(const gnnc_context *context) {
  return context && context->size >= offsetof(gnnc_context, comm) + sizeof context->comm ? context->comm : NULL;
}

//@ count_ghosts
static int64_t count_ghosts(const gnnc_context *context) {
  const gnnc_comm *const comm = context_comm(context);
  return comm ? comm->num_ghosts : 0;
}

//@ count_interior
/* Nodes that share no edge with ghosts and come before the others; without ghosts all. */
static int64_t count_interior(const gnnc_graph *graph) {
  const gnnc_comm *const comm = context_comm(graph_context(graph));
  return comm && comm->num_ghosts ? comm->num_interior : graph->num_nodes - count_ghosts(graph_context(graph));
}

//@ count_column_ranks
/* The ranks that have columns of all nodes; 0 where they have rows, as one rank does. */
static int64_t count_column_ranks(const gnnc_context *context) {
  const gnnc_comm *const comm = context_comm(context);
  const int has_columns = comm && comm->size >= offsetof(gnnc_comm, transpose) + sizeof comm->transpose &&
                          comm->has_columns && comm->ranks > 1;
  return has_columns ? comm->ranks : 0;
}

//@ check_ranks
/* Counts of ghosts and interior nodes, and edges. Where the rank has columns, it has all edges; else each has an own node, which is no
 * interior one if the other end is a ghost. Edges lead into ghosts only where the model asks for the edges out of own nodes. */
static gnnc_result check_ranks(const gnnc_graph *graph, int has_out_edges, int takes_columns, int64_t *index) {
  const gnnc_comm *const comm = context_comm(graph_context(graph));
  if (!comm) return GNNC_OK;
  if (comm->size < offsetof(gnnc_comm, rank)) {
    *index = (int64_t)comm->size;
    return GNNC_ERROR_VERSION;
  }
  if (comm->num_ghosts < 0 || comm->num_ghosts > graph->num_nodes) return GNNC_ERROR_COUNT;
  const int64_t own = graph->num_nodes - comm->num_ghosts;
  if (comm->num_interior < 0 || comm->num_interior > own) return GNNC_ERROR_COUNT;
  if (takes_columns && count_column_ranks(graph_context(graph))) {
    if (!comm->transpose) return GNNC_ERROR_NULL;
    const int is_whole = comm->num_interior == 0 && comm->rank >= 0 && comm->rank < comm->ranks;
    return is_whole ? GNNC_OK : GNNC_ERROR_COUNT;
  }
  for (int64_t e = 0; comm->num_ghosts && e < graph->num_edges; e++) {
    const int64_t src = graph->src[e], dst = graph->dst[e], less = src < dst ? src : dst, more = src < dst ? dst : src;
    const int is_inside = more < own || (less < own && less >= comm->num_interior);
    if (is_inside && (has_out_edges || dst < own)) continue;
    *index = e;
    return GNNC_ERROR_EDGE_RANGE;
  }
  return GNNC_OK;
}

//@ check_cells
/* The cells of ranks: 64 at most; own nodes are in those of this rank, each once, by the sums of their numbers and squares. */
static gnnc_result check_cells(const gnnc_graph *graph, int64_t *index) {
  const gnnc_comm *const comm = context_comm(graph_context(graph));
  if (!comm) return GNNC_OK;
  if (comm->size < offsetof(gnnc_comm, share) + sizeof comm->share) {
    *index = (int64_t)comm->size;
    return GNNC_ERROR_VERSION;
  }
  if (!comm->cells || !comm->cell_ptr || !comm->cell_nodes || !comm->share) return GNNC_ERROR_NULL;
  const int64_t own = graph->num_nodes - comm->num_ghosts;
  if (comm->ranks < 1 || comm->ranks > 64 || comm->rank < 0 || comm->rank >= comm->ranks || comm->cells[0] != 0)
    return GNNC_ERROR_COUNT;
  for (int32_t r = 0; r < comm->ranks; r++)
    if (comm->cells[r + 1] < comm->cells[r] || comm->cells[r + 1] > 64) return GNNC_ERROR_COUNT;
  const int32_t cells = comm->cells[comm->ranks];
  if (cells < 1 || comm->cell_ptr[comm->cells[comm->rank]] != 0 || comm->cell_ptr[comm->cells[comm->rank + 1]] != own)
    return GNNC_ERROR_COUNT;
  if (comm->cell_ptr[0] != 0 || comm->cell_ptr[cells] != own) return GNNC_ERROR_COUNT;
  for (int32_t c = 0; c < cells; c++)
    if (comm->cell_ptr[c + 1] < comm->cell_ptr[c]) return GNNC_ERROR_COUNT;
  uint64_t sum = 0, squares = 0;
  for (int64_t i = 0; i < own; i++) {
    const uint64_t listed = (uint64_t)comm->cell_nodes[i], node = (uint64_t)i;
    if (listed >= (uint64_t)own) return GNNC_ERROR_COUNT;
    sum += listed - node;
    squares += listed * listed - node * node;
  }
  return sum || squares ? GNNC_ERROR_COUNT : GNNC_OK;
}

//@ check_edge_rows
/* Ranks that exchange rows of edges. */
static gnnc_result check_edge_rows(const gnnc_graph *graph, int64_t *index) {
  const gnnc_comm *const comm = context_comm(graph_context(graph));
  if (!comm) return GNNC_OK;
  if (comm->size < offsetof(gnnc_comm, share_edges) + sizeof comm->share_edges) {
    *index = (int64_t)comm->size;
    return GNNC_ERROR_VERSION;
  }
  return comm->share_edges ? GNNC_OK : GNNC_ERROR_NULL;
}

//@ cut_cells
/* Pieces of the nodes by whose sums ranks are no different: cells, and without ranks consecutive nodes. */
static void cut_cells(const gnnc_context *context, int64_t num_own, int64_t pieces, int64_t *ptr, int32_t *order) {
  const gnnc_comm *const comm = context_comm(context);
  if (!comm) {
    cut_pieces(num_own, pieces, ptr);
    for (int64_t n = 0; n < num_own; n++) order[n] = (int32_t)n;
    return;
  }
  const int32_t cells = comm->cells[comm->ranks];
  for (int64_t i = 0; i <= pieces; i++) ptr[i] = comm->cell_ptr[i < cells ? i : cells];
  for (int64_t i = 0; i < num_own; i++) order[i] = comm->cell_nodes[i];
}

//@ share_pieces
/* Gives all ranks the rows of all 64 pieces, of which each has computed those of its cells. */
static gnnc_result share_pieces(const gnnc_context *context, void *rows, size_t row_bytes) {
  const gnnc_comm *const comm = context_comm(context);
  int32_t numbers[64];
  for (int32_t i = 0; i < 64; i++) numbers[i] = i;
  return comm ? comm->share(comm->user, rows, row_bytes, comm->cells, numbers) : GNNC_OK;
}

//@ add_row
static inline void add_row(int64_t count, real *restrict to, const real *restrict from) {
  for (int64_t i = 0; i < count; i++) to[i] += from[i];
}

//@ sum_cells
/* Adds up rows of `count` numbers, one per cell, of which this rank has written those of its cells, in the binary tree over the numbers
 * of the cells. Each rank adds up the largest subtrees of which it has all cells; all ranks add up the sums of these. */
static gnnc_result sum_cells(const gnnc_comm *comm, int64_t count, real *sums, real *to) {
  const int32_t cells = comm->cells[comm->ranks];
  int32_t ptr[65] = {0}, numbers[64], size[64] = {0},
          held = 0; /* size: cells of the subtree that begins at a cell; 0: none does */
  for (int32_t r = 0; r < comm->ranks; r++) {
    for (int32_t first = comm->cells[r]; first < comm->cells[r + 1]; first += size[first]) {
      size[first] = 1;
      while (first % (2 * size[first]) == 0 && first + 2 * size[first] <= comm->cells[r + 1]) size[first] *= 2;
      for (int32_t step = 1; r == comm->rank && step < size[first]; step *= 2)
        for (int32_t c = first; c < first + size[first]; c += 2 * step)
          add_row(count, sums + c * count, sums + (c + step) * count);
      numbers[held++] = first;
    }
    ptr[r + 1] = held;
  }
  const gnnc_result shared = comm->share(comm->user, sums, (size_t)count * sizeof *sums, ptr, numbers);
  if (shared) return shared;
  for (int32_t step = 1; step < cells; step *= 2)
    for (int32_t c = 0; c < cells; c += 2 * step) {
      if (!size[c] || size[c] > step) continue;
      if (c + step < cells) add_row(count, sums + c * count, sums + (c + step) * count);
      size[c] = 2 * step;
    }
  for (int64_t i = 0; i < count; i++) to[i] = sums[i];
  return GNNC_OK;
}

//@ cell_walk
/* How the rows of a cell are found: its nodes, the edges into them, or their graphs, in an order on which all ranks agree. */
typedef struct cell_walk {
  const int64_t *in_ptr; /* of edges; NULL: rows are nodes or graphs */
  const int32_t *batch;  /* the graph of each node; NULL: rows are nodes or edges */
  const int32_t *type;   /* type of each row; NULL: there is one sum */
  int32_t *order;        /* room for twice the rows */
  int64_t *ptr;          /* room for one more than the types */
} cell_walk;

//@ sort_cell
/* A stable counting sort of rows by type; ptr says where each type begins. */
static void sort_cell(const cell_walk *w, int64_t count, int64_t types, const int32_t *rows, int32_t *to) {
  for (int64_t t = 0; t <= types; t++) w->ptr[t] = 0;
  for (int64_t i = 0; i < count; i++) w->ptr[w->type[rows[i]] + 1]++;
  for (int64_t t = 0; t < types; t++) w->ptr[t + 1] += w->ptr[t];
  for (int64_t i = 0; i < count; i++) to[w->ptr[w->type[rows[i]]]++] = rows[i];
  for (int64_t t = types; t > 0; t--) w->ptr[t] = w->ptr[t - 1];
  w->ptr[0] = 0;
}

//@ list_graphs
/* Lists the graphs whose nodes are in this cell and in none before, which a rank has, too: it has all nodes of a graph. Marks begin at
 * 0. */
static int64_t list_graphs(const gnnc_comm *comm, int32_t cell, const cell_walk *w, int32_t *marks) {
  int64_t count = 0;
  for (int64_t i = comm->cell_ptr[cell]; i < comm->cell_ptr[cell + 1]; i++) {
    const int32_t found = w->batch[comm->cell_nodes[i]];
    if (marks[found]) continue;
    marks[found] = 1;
    w->order[count++] = found;
  }
  return count;
}

//@ walk_cell
/* Makes a contraction one over the rows of a cell. */
static void walk_cell(const gnnc_comm *comm, int32_t cell, const cell_walk *w, int32_t *marks, contraction *c) {
  const int64_t first = comm->cell_ptr[cell], end = comm->cell_ptr[cell + 1];
  const int32_t *rows = comm->cell_nodes + first;
  int64_t count = end - first;
  if (w->in_ptr) {
    count = 0;
    for (int64_t i = first; i < end; i++)
      for (int64_t p = w->in_ptr[comm->cell_nodes[i]]; p < w->in_ptr[comm->cell_nodes[i] + 1]; p++)
        w->order[count++] = (int32_t)p;
    rows = w->order;
  }
  if (w->batch) {
    count = list_graphs(comm, cell, w, marks);
    rows = w->order;
  }
  if (w->type) {
    sort_cell(w, count, c->types, rows, w->order + count);
    rows = w->order + count;
    c->ptr = w->ptr;
  }
  c->order = rows;
  c->rows = count;
}

//@ contract_cells
/* Adds up outer products of rows, `count` numbers: cell by cell where there are ranks, in `sums`. */
static gnnc_result contract_cells(const gnnc_context *context, contraction *c, const cell_walk *w, int64_t count,
                                  real *sums) {
  const gnnc_comm *const comm = context_comm(context);
  if (!comm) {
    contract_rows(c);
    return GNNC_OK;
  }
  real *const to = c->to;
  int32_t *const marks = w->order + c->rows;
  for (int64_t i = 0; w->batch && i < c->rows; i++) marks[i] = 0;
  for (int32_t cell = comm->cells[comm->rank]; cell < comm->cells[comm->rank + 1]; cell++) {
    walk_cell(comm, cell, w, marks, c);
    c->to = sums + cell * count;
    for (int64_t i = 0; w->type && i < count; i++) c->to[i] = 0; /* there may be more sums than types of rows */
    contract_rows(c);
  }
  return sum_cells(comm, count, sums, to);
}

//@ count_cells
/* Cells whose sums a rank holds at once; 0 without ranks. */
static int64_t count_cells(const gnnc_context *context) {
  const gnnc_comm *const comm = context_comm(context);
  return comm && comm->size >= offsetof(gnnc_comm, share) + sizeof comm->share && comm->cells ? comm->cells[comm->ranks]
                                                                                              : 0;
}

//@ share_edge_rows
/* Gets the rows of edges out of own nodes into ghosts from the ranks that own the ghosts; edge e has the row places[e], or e. */
static gnnc_result share_edge_rows(const gnnc_context *context, void *rows, size_t row_bytes, const int32_t *places) {
  const gnnc_comm *const comm = context_comm(context);
  return comm ? comm->share_edges(comm->user, rows, row_bytes, places) : GNNC_OK;
}

//@ column_rank
static int64_t column_rank(const gnnc_context *context) {
  return count_column_ranks(context) ? context_comm(context)->rank : 0;
}

//@ most_strips
/* The most strips of columns that a rank has of so many. */
static int64_t most_strips(int64_t strips, int64_t ranks) {
  return ranks ? (strips + ranks - 1) / ranks : 0;
}

//@ find_strips
/* The strips of columns of a rank. */
typedef struct strip_range {
  int64_t first, count;
} strip_range;

static strip_range find_strips(int64_t strips, int64_t rank, int64_t ranks) {
  const int64_t first = strips * rank / ranks;
  return (strip_range){first, strips * (rank + 1) / ranks - first};
}

//@ transpose_rows
/* Gets the rank's strips of the rows of all nodes, or all strips of its own rows. */
static gnnc_result transpose_rows(const gnnc_context *context, const void *from, void *to, size_t strip_bytes,
                                  int32_t strips, int to_rows) {
  const gnnc_comm *const comm = context_comm(context);
  return comm ? comm->transpose(comm->user, from, to, strip_bytes, strips, to_rows) : GNNC_OK;
}

//@ begin_exchange
/* Begins to get the rows of ghosts from the ranks that own them. */
static gnnc_result begin_exchange(const gnnc_context *context, const gnnc_node_rows *values, int32_t num_values) {
  const gnnc_comm *const comm = context_comm(context);
  return comm ? comm->begin(comm->user, values, num_values) : GNNC_OK;
}

//@ end_exchange
static gnnc_result end_exchange(const gnnc_context *context) {
  const gnnc_comm *const comm = context_comm(context);
  return comm ? comm->end(comm->user) : GNNC_OK;
}
