/* Ranks: how a program exchanges rows of ghosts through the functions of its context. See real.h for how parts are used. */
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
/* Nodes without edges from ghosts that come before the others; without ghosts all. */
static int64_t count_interior(const gnnc_graph *graph) {
  const gnnc_comm *const comm = context_comm(graph_context(graph));
  return comm && comm->num_ghosts ? comm->num_interior : graph->num_nodes - count_ghosts(graph_context(graph));
}

//@ check_ranks
/* Ghosts are nodes without edges into them, and interior nodes have no edges from ghosts. */
static gnnc_result check_ranks(const gnnc_graph *graph, int64_t *index) {
  const gnnc_comm *const comm = context_comm(graph_context(graph));
  if (!comm) return GNNC_OK;
  if (comm->size < sizeof *comm) {
    *index = (int64_t)comm->size;
    return GNNC_ERROR_VERSION;
  }
  if (comm->num_ghosts < 0 || comm->num_ghosts > graph->num_nodes) return GNNC_ERROR_COUNT;
  const int64_t own = graph->num_nodes - comm->num_ghosts;
  if (comm->num_interior < 0 || comm->num_interior > own) return GNNC_ERROR_COUNT;
  for (int64_t e = 0; comm->num_ghosts && e < graph->num_edges; e++) {
    if (graph->dst[e] < own && (graph->src[e] < own || graph->dst[e] >= comm->num_interior)) continue;
    *index = e;
    return GNNC_ERROR_EDGE_RANGE;
  }
  return GNNC_OK;
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
