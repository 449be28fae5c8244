/* Partitions an edge list with very many shards, as small devices have. Most cells are empty, so a
 * counter for each would cost more than the edges.
 *
 * Edges are sorted by source shard and then, stably, by destination shard; equal cells are then
 * adjacent.
 * O(V / N1 + E). */
#include "codegen/graphagile/partition/partition_sort.h"

#include "codegen/device/host/host_memory.h"

#include <stdlib.h>
#include <string.h>

/* Sorts the entries `from` (NULL: 0, 1, 2, ...) by the shard of their row, stably, into `to`. */
static void sort_by_shard(int64_t count, const int32_t *rows, graphagile_partition_divisor by, const int32_t *from,
                          int32_t *to, uint32_t *begin, int64_t shards) {
  memset(begin, 0, ((size_t)shards + 1) * sizeof *begin);
  for (int64_t i = 0; i < count; i++) begin[graphagile_partition_divide(by, rows[i]) + 1]++;
  for (int64_t s = 0; s < shards; s++) begin[s + 1] += begin[s];
  for (int64_t i = 0; i < count; i++) {
    int32_t e = from ? from[i] : (int32_t)i;
    to[begin[graphagile_partition_divide(by, rows[e])]++] = e;
  }
}

static int64_t cell_of(const graphagile_partition_job *j, int32_t e) {
  return (int64_t)graphagile_partition_divide(j->by_dst, j->edge_list->dst[e]) * j->src_shards +
         graphagile_partition_divide(j->by_src, j->edge_list->src[e]);
}

/* The number of entries of the same cell from `begin` on; *cell is that cell. */
static int64_t run_of(const graphagile_partition_job *j, const int32_t *order, int64_t begin, int64_t *cell) {
  int64_t end = begin + 1;
  *cell = cell_of(j, order[begin]);
  while (end < j->edge_list->edges && cell_of(j, order[end]) == *cell) end++;
  return end - begin;
}

/* Writes edge e of the list, which belongs to a cell, as record `at`. */
static void put(const graphagile_partition_job *j, int32_t e, int64_t cell, int64_t at) {
  const program_edge_list *r = j->edge_list;
  int32_t row = r->dst[e] - (int32_t)(cell / j->src_shards) * j->by_dst.rows;
  const int32_t ends[2] = {r->src[e] - (int32_t)(cell % j->src_shards) * j->by_src.rows,
                           graphagile_partition_place_sum(&j->out->shape, e, row)};
  if (j->out->position) j->out->position[e] = (int32_t)at;
  float weight = r->weight ? r->weight[e] : 1.0f;
  if (!j->out->records) return;
  if (r->weights.user) r->weights.weigh(r->weights.user, e, 1, &weight);
  graphagile_partition_put(j->out->records, (size_t)at, ends, weight);
}

static status place_all(graphagile_partition_job *j, const int32_t *order) {
  int64_t edges = j->edge_list->edges, cell, count = 0, cells = 0;
  for (int64_t i = 0, run; i < edges; i += run, cells++) {
    run = run_of(j, order, i, &cell);
    count += graphagile_partition_pieces_of(j, run);
  }
  RETURN_IF_ERROR(graphagile_partition_begin_pieces(j, cells, count));
  for (int64_t i = 0, run; i < edges; i += run) {
    run = run_of(j, order, i, &cell);
    graphagile_partition_add_cell(j, cell, run);
    for (int64_t k = i; k < i + run; k++) put(j, order[k], cell, k);
  }
  graphagile_partition_end_pieces(j);
  return STATUS_OK;
}

static status sort(graphagile_partition_job *j) {
  const program_edge_list *r = j->edge_list;
  int64_t most = j->src_shards > j->out->shards ? j->src_shards : j->out->shards;
  int32_t *by_src = host_memory_alloc(r->edges, sizeof *by_src), *order = host_memory_alloc(r->edges, sizeof *order);
  uint32_t *begin = host_memory_alloc(most + 1, sizeof *begin);
  status s = STATUS_OK;
  if (by_src && order && begin) {
    sort_by_shard(r->edges, r->src, j->by_src, NULL, by_src, begin, j->src_shards);
    sort_by_shard(r->edges, r->dst, j->by_dst, by_src, order, begin, j->out->shards);
    s = place_all(j, order);
  } else {
    s = status_error(STATUS_CODE_memory, "no memory to sort %lld edges", (long long)r->edges);
  }
  free(by_src);
  free(order);
  free(begin);
  return s;
}

/* Copies the rows at one end of the list and those of its self loops, as the device has them. */
static void copy_ends(const program_edge_list *r, const int32_t *rows, const int32_t *place, int32_t *to) {
  int64_t stored = r->edges - r->loops;
  if (stored) memcpy(to, rows, (size_t)stored * sizeof *to);
  for (int64_t i = 0; i < r->loops; i++) to[stored + i] = r->loop ? r->loop[i] : (int32_t)i;
  for (int64_t i = 0; place && i < r->edges; i++) to[i] = place[to[i]];
}

/* Partitions the list with its self loops. */
status graphagile_partition_sort(graphagile_partition_job *j) {
  const program_edge_list *r = j->edge_list;
  if (!r->loops && !r->src_place && !r->dst_place) return sort(j);
  program_edge_list whole = *r;
  graphagile_partition_job job = *j;
  int32_t *src = host_memory_alloc(r->edges, sizeof *src), *dst = host_memory_alloc(r->edges, sizeof *dst);
  status s =
      src && dst ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory to sort %lld edges", (long long)r->edges);
  if (!s) {
    copy_ends(r, r->src, r->src_place, src);
    copy_ends(r, r->dst, r->dst_place, dst);
    whole.src = src;
    whole.dst = dst;
    job.edge_list = &whole;
    s = sort(&job);
  }
  free(src);
  free(dst);
  return s;
}
