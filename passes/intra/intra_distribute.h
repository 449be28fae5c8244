/* What a rank cannot compute, and what it needs, for intra-distribute. */
#ifndef GNNC_PASSES_INTRA_INTRA_DISTRIBUTE_H
#define GNNC_PASSES_INTRA_INTRA_DISTRIBUTE_H

#include "passes/manager/pass.h"

/* What a program needs of ranks besides rows of ghosts. */
typedef struct intra_rank_needs {
  bool whole_graphs; /* it reads all nodes of a graph of a batch at once: each graph must be of one rank */
  bool out_edges;    /* it reads the edges out of nodes: some of them lead into ghosts */
  bool cells;        /* it adds up rows of all nodes */
  bool is_training;
  bool all_edges; /* a rank may have all edges, and kernels over them read ghosts at both ends */
} intra_rank_needs;

/* Edges of a loop: into or out of its node, or all, of which some have no own node as destination. */
typedef enum intra_edges { INTRA_EDGES_in, INTRA_EDGES_out, INTRA_EDGES_all } intra_edges;

/* Where the edge of a cursor comes from, or the pair of edge type and end. */
intra_edges intra_edges_of(MlirValue edge);

/* Whether a cursor is at the destination of any edge of a rank: if it is a ghost, not all edges into it are there. */
bool intra_lacks_edges_of(MlirValue node);

/* Whether a cursor may be at a ghost: at the source of an edge, or, where a rank has edges out of its nodes or all edges, at the
 * destination. */
bool intra_is_at_ghost(MlirValue cursor, const intra_rank_needs *needs);

/* The set whose edges a sum over rows adds up; NULL: rows of nodes. */
const char *intra_edges_of_sum(MlirOperation contract);

/* Whether a sum is over values per type, which all ranks have. */
bool intra_is_sum_over_types(MlirOperation contract);

/* Whether rows at the destinations of edges over which a kernel goes may be those of ghosts. */
bool intra_has_ghosts_at_destinations(const intra_rank_needs *needs);

/* Adds what a function needs. */
void intra_find_rank_needs(MlirBlock body, intra_rank_needs *needs);

/* Whether all kernels and calls of a function can be computed from own nodes, their edges and rows of ghosts. False after a
 * message at the line of the model. */
bool intra_check_ranks(pass_context *p, MlirBlock body, const intra_rank_needs *needs);

#endif
