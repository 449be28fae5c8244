/* The fingerprint of a graph covers the parts of it that a compiled program contains. Features are
 * inputs of a run and do not count, nor do names and metadata. Fields that a program may contain in
 * addition have fingerprints of their own. */
#include "data/graph.h"

#include <string.h>
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

static uint64_t hash_csr(const graph_csr *csr) {
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

static status hash_field(const graph *g, arena *a, const char *name, uint64_t *out) {
  graph_field field;
  graph_csr csr;
  const float *dense = NULL;
  if (!graph_find_field(g, name, &field)) return status_error(STATUS_CODE_mismatch, "%s: no field '%s'", g->name, name);
  if (field.is_sparse) {
    RETURN_IF_ERROR(graph_read_csr(g, a, name, &csr));
    *out = hash_csr(&csr);
    return STATUS_OK;
  }
  RETURN_IF_ERROR(graph_read_dense(g, a, name, &field, &dense));
  size_t count = 1;
  for (int32_t i = 0; i < field.rank; i++) count *= (size_t)field.dims[i];
  *out = XXH3_64bits(dense, count * sizeof *dense);
  return STATUS_OK;
}

status graph_field_fingerprint(const graph *g, const char *name, uint64_t *out) {
  bool is_batch = !strcmp(name, "batch");
  if (is_batch || !strcmp(name, "node_type")) {
    const int32_t *ids = is_batch ? g->batch : g->node_type;
    uint64_t groups = (uint64_t)(is_batch ? g->num_graphs : g->num_node_types);
    *out = ids ? XXH3_64bits_withSeed(ids, (size_t)g->num_nodes * sizeof *ids, groups) : 0;
    return STATUS_OK;
  }
  arena *a = arena_create();
  status s = hash_field(g, a, name, out);
  arena_destroy(a);
  return s;
}
