/* Sorts the edges by type and source, then by target, then by source again. All sorts are stable,
 * so the second gives the sources of each target in ascending order and the third the targets of
 * each source. Untyped edges that are already sorted by source skip the first sort. */
#include "data/neighbours.h"

#include "data/record_sort.h"
#include "support/huge_pages.h"
#include "support/pool_parts.h"
#include "support/progress.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* An edge during the sorts; edges without types have no last member. */
typedef struct end_record {
  int32_t src, dst, type;
} end_record;

typedef struct finding {
  const graph *graph;
  neighbours *found;
  size_t bytes; /* of a record: 8, or 12 with types */
  unsigned char *records;
  atomic_bool is_unsorted;
  atomic_llong duplicates;
  size_t end_offset; /* offset of the node in a record that keep_part copies */
  int32_t *kept;
} finding;

static void fill_part(void *user, int64_t part) {
  finding *f = user;
  const graph *g = f->graph;
  const int64_t begin = pool_parts_begin(g->num_edges, part), end = pool_parts_begin(g->num_edges, part + 1);
  bool is_unsorted = begin && begin < end && g->src[begin - 1] > g->src[begin];
  for (int64_t e = begin; e < end; e++) {
    const end_record r = {g->src[e], g->dst[e], g->edge_type ? g->edge_type[e] : 0};
    memcpy(f->records + (size_t)e * f->bytes, &r, f->bytes);
    is_unsorted |= e > begin && g->src[e - 1] > r.src;
  }
  if (is_unsorted) atomic_store(&f->is_unsorted, true);
}

static void keep_part(void *user, int64_t part) {
  const finding *f = user;
  const int64_t end = pool_parts_begin(f->graph->num_edges, part + 1);
  for (int64_t i = pool_parts_begin(f->graph->num_edges, part); i < end; i++)
    memcpy(&f->kept[i], f->records + (size_t)i * f->bytes + f->end_offset, sizeof *f->kept);
}

static void count_duplicates(void *user, int64_t part) {
  finding *f = user;
  const int64_t begin = pool_parts_begin(f->graph->num_edges, part);
  const int64_t end = pool_parts_begin(f->graph->num_edges, part + 1);
  int64_t count = 0;
  for (int64_t i = begin ? begin : 1; i < end; i++)
    count += !memcmp(f->records + (size_t)i * f->bytes, f->records + (size_t)(i - 1) * f->bytes, f->bytes);
  atomic_fetch_add(&f->duplicates, count);
}

static status run_sorts(finding *f, thread_pool *pool, unsigned char *spare) {
  const graph *g = f->graph;
  const int64_t edges = g->num_edges, parts = pool_parts_count(edges);
  record_sort by = {.pool = pool, .count = edges, .record_bytes = f->bytes};
  progress_step("sort edges", NULL, 0);
  pool_parts_run(pool, edges, parts, fill_part, f);
  by.key_offset = offsetof(end_record, type);
  by.num_keys = g->num_edge_types;
  if (g->edge_type) RETURN_IF_ERROR(record_sort_run(&by, f->records, spare, NULL));
  by.num_keys = g->num_nodes;
  by.key_offset = offsetof(end_record, src);
  if (g->edge_type || f->is_unsorted) RETURN_IF_ERROR(record_sort_run(&by, f->records, spare, NULL));
  by.key_offset = offsetof(end_record, dst);
  RETURN_IF_ERROR(record_sort_run(&by, f->records, spare, f->found->in));
  f->end_offset = offsetof(end_record, src);
  f->kept = f->found->sources;
  pool_parts_run(pool, edges, parts, keep_part, f);
  by.key_offset = offsetof(end_record, src);
  RETURN_IF_ERROR(record_sort_run(&by, f->records, spare, f->found->out));
  f->end_offset = offsetof(end_record, dst);
  f->kept = f->found->targets;
  pool_parts_run(pool, edges, parts, keep_part, f);
  pool_parts_run(pool, edges, parts, count_duplicates, f);
  f->found->duplicates = f->duplicates;
  return STATUS_OK;
}

static void *take(size_t bytes) {
  void *block = malloc(bytes + 1);
  huge_pages_advise(block, bytes);
  return block;
}

/* The targets are stored in the scratch memory of the sorts. */
status neighbours_find(const graph *g, thread_pool *pool, neighbours *out) {
  const size_t nodes = (size_t)g->num_nodes, edges = (size_t)g->num_edges;
  finding f = {.graph = g, .found = out, .bytes = g->edge_type ? sizeof(end_record) : offsetof(end_record, type)};
  *out = (neighbours){.num_nodes = g->num_nodes, .num_edges = g->num_edges};
  out->out = take((nodes + 1) * sizeof *out->out);
  out->in = take((nodes + 1) * sizeof *out->in);
  out->sources = take(edges * sizeof *out->sources);
  f.records = take(edges * f.bytes);
  unsigned char *spare = take(edges * f.bytes);
  out->targets = (int32_t *)(void *)spare;
  status s = out->out && out->in && out->sources && f.records && spare
                 ? run_sorts(&f, pool, spare)
                 : status_error(STATUS_CODE_memory, "the neighbours of %" PRId64 " nodes do not fit into memory",
                                g->num_nodes);
  free(f.records);
  return s;
}

void neighbours_free(neighbours *n) {
  free(n->out);
  free(n->in);
  free(n->sources);
  free(n->targets);
}
