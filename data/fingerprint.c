/* The fingerprint of a graph: what a compiled program that holds the graph depends on. Features are left out, they are
 * inputs of a run; so are names and metadata. Sparse features that a program holds have a fingerprint of their own. */
#include "data/graph.h"

#include <xxhash.h>

uint64_t graph_fingerprint(const graph *g) {
  XXH3_state_t *state = XXH3_createState();
  if (!state) return 0;
  XXH3_64bits_reset(state);
  size_t edges = (size_t)g->num_edges;
  int64_t counts[4] = {g->num_nodes, g->num_edges, g->edge_type != NULL, g->edge_weight != NULL};
  XXH3_64bits_update(state, counts, sizeof counts);
  XXH3_64bits_update(state, g->src, edges * sizeof *g->src);
  XXH3_64bits_update(state, g->dst, edges * sizeof *g->dst);
  if (g->edge_type) XXH3_64bits_update(state, g->edge_type, edges * sizeof *g->edge_type);
  if (g->edge_weight) XXH3_64bits_update(state, g->edge_weight, edges * sizeof *g->edge_weight);
  uint64_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return hash;
}

uint64_t graph_csr_fingerprint(const graph_csr *csr) {
  XXH3_state_t *state = XXH3_createState();
  if (!state) return 0;
  XXH3_64bits_reset(state);
  int64_t counts[3] = {csr->rows, csr->columns, csr->nonzeros};
  size_t entries = (size_t)csr->nonzeros;
  XXH3_64bits_update(state, counts, sizeof counts);
  XXH3_64bits_update(state, csr->indptr, ((size_t)csr->rows + 1) * sizeof *csr->indptr);
  XXH3_64bits_update(state, csr->indices, entries * sizeof *csr->indices);
  XXH3_64bits_update(state, csr->data, entries * sizeof *csr->data);
  uint64_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return hash;
}
